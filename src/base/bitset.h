/* Sets of small numbers: arrays of 64-bit words.  The caller knows how many there are. */
#ifndef HEDDLE_BASE_BITSET_H
#define HEDDLE_BASE_BITSET_H

#include <stdbool.h>
#include <stdint.h>

static inline bool bitset_has(const uint64_t *set, uint32_t i)
{
        return set[i / 64] >> (i % 64) & 1;
}

static inline void bitset_add(uint64_t *set, uint32_t i)
{
        set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void bitset_remove(uint64_t *set, uint32_t i)
{
        set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

#endif
