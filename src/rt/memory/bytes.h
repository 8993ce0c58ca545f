/*
 * Copying, moving and filling bytes without calling anything: the runtime defines memcpy and similar functions itself, and runs
 * before the loader has bound them.  Loops go forward by words and then bytes; long stretches are left to the processor.
 */
#ifndef HEDDLE_RT_MEMORY_BYTES_H
#define HEDDLE_RT_MEMORY_BYTES_H

#include <stddef.h>
#include <stdint.h>

#define BYTES_LONG 128u /* from here on the start-up cost of `rep` pays */

typedef uint64_t bytes_word __attribute__((may_alias, aligned(1)));

/* Overlap is fine when dst is below src. */
static inline void bytes_copy(void *dst, const void *src, size_t n)
{
        unsigned char *d = dst;
        const unsigned char *s = src;

        if (n >= BYTES_LONG) {
                __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
                return;
        }
        for (; n >= 8; n -= 8, d += 8, s += 8)
                *(bytes_word *)d = *(const bytes_word *)s;
        for (; n; n--)
                *d++ = *s++;
}

/* Overlap is fine when dst is above src. */
static inline void bytes_copy_down(void *dst, const void *src, size_t n)
{
        unsigned char *d = dst;
        const unsigned char *s = src;

        for (; n >= 8; n -= 8)
                *(bytes_word *)(d + n - 8) = *(const bytes_word *)(s + n - 8);
        for (; n; n--)
                d[n - 1] = s[n - 1];
}

static inline void bytes_move(void *dst, const void *src, size_t n)
{
        if ((uintptr_t)dst - (uintptr_t)src >= n)
                bytes_copy(dst, src, n);
        else
                bytes_copy_down(dst, src, n);
}

static inline void bytes_fill(void *dst, unsigned char c, size_t n)
{
        unsigned char *d = dst;
        const uint64_t word = c * UINT64_C(0x0101010101010101);

        if (n >= BYTES_LONG) {
                __asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(c) : "memory");
                return;
        }
        for (; n >= 8; n -= 8, d += 8)
                *(bytes_word *)d = word;
        for (; n; n--)
                *d++ = c;
}

#endif
