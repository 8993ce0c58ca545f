/* Memory as values: a word of up to 8 bytes, and a hash of any number of them. */
#ifndef HEDDLE_RT_LOOPS_WORDS_H
#define HEDDLE_RT_LOOPS_WORDS_H

#include <stdbool.h>

#include "base/hash.h"
#include "rt/util.h"

static inline uint64_t word_at(uint64_t addr, uint32_t size)
{
        const void *p = (const void *)(uintptr_t)addr;
        uint64_t v = 0;

        if (size == 8)
                __builtin_memcpy(&v, p, 8);
        else if (size == 4)
                __builtin_memcpy(&v, p, 4);
        else
                rt_copy(&v, p, size);
        return v;
}

static inline uint64_t bytes_hash(uint64_t addr, uint32_t size)
{
        uint64_t h = size;

        for (; size >= 8; addr += 8, size -= 8)
                h = hash_mix(h, word_at(addr, 8));
        return size ? hash_mix(h, word_at(addr, size)) : h;
}

/* Of the words in [p, hi): four at a time, since each mix waits for the one before. */
static inline uint64_t words_hash(uint64_t h, uintptr_t p, uintptr_t hi)
{
        uint64_t b = 1, c = 2, d = 3;

        for (; p + 32 <= hi; p += 32) {
                const uint64_t *w = (const uint64_t *)p;
                h = hash_mix(h, w[0]);
                b = hash_mix(b, w[1]);
                c = hash_mix(c, w[2]);
                d = hash_mix(d, w[3]);
        }
        for (; p + 8 <= hi; p += 8)
                h = hash_mix(h, *(const uint64_t *)p);
        return hash_mix(hash_mix(h, b), hash_mix(c, d));
}

static inline bool overlap(uint64_t a, uint32_t m, uint64_t b, uint32_t n)
{
        return a < b + n && b < a + m;
}

#endif
