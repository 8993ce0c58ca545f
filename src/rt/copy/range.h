/*
 * Ranges of memory, word by word: what libc's functions do to the program's memory is not one step.
 *
 * A word is naturally aligned and has 1, 2, 4 or 8 bytes: a range is cut into the fewest of them.  A copy reads words of its
 * source and writes a word of its destination as soon as it has all bytes of it, ascending; descending where the
 * destination overlaps the source from above.  Other threads may run before each shared word; private ones are not events.
 *
 * Every call takes the site of the program's call.  Where that is not to be seen (step_seen), the copy is made without entries.
 */
#ifndef HEDDLE_RT_COPY_RANGE_H
#define HEDDLE_RT_COPY_RANGE_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The first word of the range: its bytes.  n is not 0. */
static inline uint32_t range_word(uintptr_t addr, size_t n)
{
        uint32_t align = (uint32_t)(addr & -addr & 7), size = align ? align : 8;

        while (size > n)
                size /= 2;
        return size;
}

/* Its last one. */
static inline uint32_t range_last_word(uintptr_t addr, size_t n)
{
        return range_word(addr + n, n); /* how far an address is aligned counts downwards, too */
}

/* How many words of a range have bytes among its first `reach`; and how many it has. */
uint32_t range_reach(const void *addr, size_t n, size_t reach);
static inline uint32_t range_words(const void *addr, size_t n)
{
        size_t first = -(uintptr_t)addr & 7,
               last; /* bytes before the first whole word, and behind the last: a word for each bit */

        if (n < first)
                return range_reach(addr, n, n);
        last = (n - first) & 7;
        return (uint32_t)((first & 1) + (first >> 1 & 1) + (first >> 2) + (n - first) / 8 + (last & 1) +
                          (last >> 1 & 1) + (last >> 2));
}

/* memmove, with everything that others may do in between. */
void range_copy(void *dst, const void *src, size_t n, uintptr_t site);
void range_fill(void *dst, unsigned char c, size_t n, uintptr_t site);

/* Reads to, or writes from, memory that is the caller's own: not the program's, or of no other thread. */
void range_get(void *to, const void *from, size_t n, uintptr_t site);
void range_put(void *to, const void *from, size_t n, uintptr_t site);

#pragma GCC visibility pop

#endif
