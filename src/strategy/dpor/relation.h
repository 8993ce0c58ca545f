/* How two footprints are related, where one may not be known for sure.  Nearly all have one access: that case is inline. */
#ifndef HEDDLE_STRATEGY_DPOR_RELATION_H
#define HEDDLE_STRATEGY_DPOR_RELATION_H

#include "hb/footprint.h"
#include "op/op.h"
#include "strategy/dpor/wakeup_tree.h"

/* In doubt: where they conflict in some states only, or may touch more than is known. */
enum relation { APART, DOUBT, CONFLICT };

struct related {
        enum relation relation;
        enum wakeup_sure sure;
};

static inline bool relate(void *arg, const struct wire_access *a, const struct wire_access *b)
{
        struct related *r = arg;

        if (a->obj >= b->obj + b->size || b->obj >= a->obj + a->size ||
            (r->sure == WAKEUP_SURE && (a->mode == WIRE_MODE_FORWARD || b->mode == WIRE_MODE_FORWARD)))
                return false; /* loads from the own buffer: overtakes() */
        if (op_modes_conflict(a->mode, b->mode) && !op_commute(a, b))
                r->relation = CONFLICT;
        else if (r->sure != WAKEUP_SURE || op_modes_conflict(a->mode, b->mode))
                r->relation = DOUBT;
        return r->relation == CONFLICT;
}

static inline __attribute__((always_inline)) enum relation relation(const struct wire_access *a, uint32_t n,
                                                                    const struct wire_access *b, uint32_t m,
                                                                    enum wakeup_sure sure)
{
        struct related r = {.relation = sure <= WAKEUP_GUESS ? DOUBT : APART, .sure = sure};

        if (sure == WAKEUP_SURE && n == 1 && m == 1 && !op_overlap(a, b))
                return APART;
        footprint_pairs(a, n, b, m, relate, &r);
        return r.relation;
}

#endif
