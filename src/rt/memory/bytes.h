/*
 * Copying, moving and filling bytes without calling anything: the runtime defines memcpy and similar functions itself, and runs
 * before the loader has bound them.  What is not a multiple of a chunk ends with a chunk that overlaps the one before it; a copy
 * reads that one first.  Very long stretches are left to the processor.
 */
#ifndef HEDDLE_RT_MEMORY_BYTES_H
#define HEDDLE_RT_MEMORY_BYTES_H

#include <stddef.h>
#include <stdint.h>

#define BYTES_LONG 1024u /* from here on the start-up cost of `rep` pays */

typedef uint64_t bytes_word __attribute__((may_alias, aligned(1)));
typedef uint32_t bytes_half __attribute__((may_alias, aligned(1)));
typedef uint64_t bytes_pair __attribute__((vector_size(16), may_alias, aligned(1)));

/* Up to 16, which may overlap in any way. */
static inline void bytes_few(unsigned char *d, const unsigned char *s, size_t n)
{
        if (n >= 8) {
                uint64_t first = *(const bytes_word *)s, last = *(const bytes_word *)(s + n - 8);

                *(bytes_word *)d = first;
                *(bytes_word *)(d + n - 8) = last;
        } else if (n >= 4) {
                uint32_t first = *(const bytes_half *)s, last = *(const bytes_half *)(s + n - 4);

                *(bytes_half *)d = first;
                *(bytes_half *)(d + n - 4) = last;
        } else if (n) {
                unsigned char first = s[0], middle = s[n / 2], last = s[n - 1];

                d[0] = first;
                d[n / 2] = middle;
                d[n - 1] = last;
        }
}

/* Overlap is fine when dst is below src. */
static inline void bytes_copy(void *dst, const void *src, size_t n)
{
        unsigned char *d = dst;
        const unsigned char *s = src;
        bytes_pair last;

        if (n >= BYTES_LONG) {
                __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
                return;
        }
        if (n <= 16) {
                bytes_few(d, s, n);
                return;
        }
        last = *(const bytes_pair *)(s + n - 16);
        for (; n > 16; n -= 16, d += 16, s += 16)
                *(bytes_pair *)d = *(const bytes_pair *)s;
        *(bytes_pair *)(d + n - 16) = last;
}

/* Overlap is fine when dst is above src. */
static inline void bytes_copy_down(void *dst, const void *src, size_t n)
{
        unsigned char *d = dst;
        const unsigned char *s = src;
        bytes_pair first;

        if (n <= 16) {
                bytes_few(d, s, n);
                return;
        }
        first = *(const bytes_pair *)s;
        for (; n > 16; n -= 16)
                *(bytes_pair *)(d + n - 16) = *(const bytes_pair *)(s + n - 16);
        *(bytes_pair *)d = first;
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
        const bytes_pair pair = {word, word};

        if (n >= BYTES_LONG) {
                __asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(c) : "memory");
                return;
        }
        if (n < 16) {
                for (; n >= 8; n -= 8, d += 8)
                        *(bytes_word *)d = word;
                for (; n; n--)
                        *d++ = c;
                return;
        }
        for (; n > 16; n -= 16, d += 16)
                *(bytes_pair *)d = pair;
        *(bytes_pair *)(d + n - 16) = pair;
}

#endif
