/*
 * The granules of 8 bytes that an execution has touched: a hash table, with the latest access to each.
 */
#ifndef HEDDLE_HB_GRANULES_H
#define HEDDLE_HB_GRANULES_H

#include "base/hash.h"
#include "hb/clocks.h"

/* The slot of the granule, or the free one where it would be. */
static inline uint32_t granule_slot(const struct causality *c, uint64_t granule)
{
        uint32_t mask = (1u << c->slot_bits) - 1;
        uint32_t i = (uint32_t)hash_slot(granule, c->slot_bits);

        while (c->slots[i].granule && c->slots[i].granule != granule + 1)
                i = (i + 1) & mask;
        return i;
}

/* The last access to this granule, or CAUSALITY_NONE. */
static inline uint32_t granule_head(const struct causality *c, uint64_t granule)
{
        uint32_t s = granule_slot(c, granule);

        return c->slots[s].granule ? c->slots[s].head : CAUSALITY_NONE;
}

/* The slot of the granule, which is added if it is not there.  false: out of memory. */
bool granule_add(struct causality *c, uint64_t granule, uint32_t *slot);

#endif
