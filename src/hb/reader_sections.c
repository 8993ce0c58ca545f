/*
 * Sections of operations that commute.
 *
 * A writer waits for sections of readers.  The sections that it can come after are a set of accesses that is closed under
 * happens-before and in which each lock has its unlock.  The union of two such sets is one, so there is a largest: what is
 * left when locks without an unlock are dropped, with all that they happen before, until every lock has one.
 */
#include "hb/reader_sections.h"

#include <string.h>

#include "base/deadline.h"
#include "op/op.h"

/* Is the access left, without the transitions in `dropped` and all that they happen before? */
static bool left(const struct causality *c, const struct causality_rec *r)
{
        const uint32_t *clock = causality_clock(c, r->trans);

        for (uint32_t i = 0; i < c->dropped.n; i++)
                if (causality_before(c, c->dropped.at[i], clock))
                        return false;
        return true;
}

/* The accesses that commute since the latest write are those from `head` to the oldest one. */
static bool is_part(const struct causality_rec *r, const struct wire_access *a)
{
        return r->mode == WIRE_MODE_COMMUTE && op_object(r->op) == op_object(a->op);
}

/* Drops every lock that is left without its unlock.  1: there were some; negative: out of memory or time. */
static int drop_open(struct causality *c, uint32_t head, const struct wire_access *a)
{
        uint32_t *unlocked = c->raced;
        int any = 0;

        memset(unlocked, 0, c->stride * sizeof *unlocked);
        for (uint32_t k = head; k != CAUSALITY_NONE && c->recs.at[k].mode != WIRE_MODE_WRITE; k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];
                uint32_t actor = c->trans.at[r->trans].actor;

                if (late_soon())
                        return -1;
                if (!is_part(r, a) || !left(c, r))
                        continue;
                if (op_commuted(r->op, OP_RWLOCK_READER) < OP_RWLOCK_READER) {
                        unlocked[actor]++;
                } else if (op_commuted(r->op, OP_RWLOCK_READER) == OP_RWLOCK_READER) {
                        continue;
                } else if (unlocked[actor]) {
                        unlocked[actor]--;
                } else {
                        if (!causality_remember(r->trans, &c->dropped))
                                return -1;
                        any = 1;
                }
        }
        return any;
}

/* The first transition that is dropped, and what happens before those that are left. */
static uint32_t join_left(const struct causality *c, uint32_t head, const struct wire_access *a, uint32_t *clock)
{
        uint32_t oldest = CAUSALITY_NONE, first = CAUSALITY_NONE;
        uint64_t readers = 0;

        for (uint32_t k = head; k != CAUSALITY_NONE && c->recs.at[k].mode != WIRE_MODE_WRITE; k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];

                if (!is_part(r, a))
                        continue;
                oldest = k;
                if (left(c, r)) {
                        clock_join(clock, causality_clock(c, r->trans), c->stride);
                        readers = op_commuted(r->op, readers);
                }
        }
        for (uint32_t i = 0; i < c->dropped.n; i++) {
                uint32_t t = c->dropped.at[i];

                if (causality_before(c, t, c->base))
                        return CAUSALITY_NONE; /* it comes before the operation in any case */
                first = t < first ? t : first;
        }
        return oldest != CAUSALITY_NONE && op_may(a, c->recs.at[oldest].value + readers) ? first : CAUSALITY_NONE;
}

bool reader_sections_whole(struct causality *c, uint32_t head, const struct wire_access *a, uint32_t *clock,
                           uint32_t *first)
{
        int any;

        c->dropped.n = 0;
        do
                any = drop_open(c, head, a);
        while (any > 0);
        *first = c->dropped.n ? join_left(c, head, a, clock) : CAUSALITY_NONE;
        return any == 0;
}
