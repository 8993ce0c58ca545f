/*
 * Conflicts on objects whose operations may commute although they write (op_commute).
 *
 * Two things differ from a history in which every write is ordered after the one before (causality.c).  A write covers
 * what is older only if all of that happens before it (`cut`).  And the state in which an operation would have run if an
 * earlier one had not been there is in no entry: with the earlier one goes what it happens before, and the rest stays.
 * So that rest is done again on the recorded state (`state_without`).
 *
 * A blocking operation is in a race with an earlier one if it is enabled without it, and they are dependent, or the
 * earlier one alone kept it from running: waits for a semaphore commute, but only one can have the last token (a
 * rival).  A dependent one without which it is not enabled only had to come first.
 *
 * Only the latest races are reported: what happens before the earlier half of one is found in a race when that is reversed.
 */
#include "hb/commuting.h"

#include <string.h>

#include "op/op.h"

static void join(const struct causality *c, uint32_t *to, uint32_t trans)
{
        clock_join(to, causality_clock(c, trans), c->stride);
}

static struct wire_access access_of(const struct causality *c, const struct causality_rec *r)
{
        return (struct wire_access){
                .value = r->value, .actor = c->trans.at[r->trans].actor, .mode = r->mode, .op = r->op};
}

/* Does everything that is older than this access and touches these bytes happen before it? */
static bool is_cut(const struct causality_rec *r, uint32_t mask)
{
        return r->cut || (r->mode == WIRE_MODE_WRITE && !op_commuting(r->op) && (r->mask & mask) == mask);
}

/* The state after all accesses from `head` back to `k` but k's and what it happens before, if `state` is that before k. */
static bool state_without(struct causality *c, uint32_t head, uint32_t self, uint32_t k, uint64_t *state)
{
        uint32_t without = c->recs.at[k].trans;

        c->again.n = 0;
        for (uint32_t i = head; i != k; i = c->recs.at[i].prev) {
                const struct causality_rec *r = &c->recs.at[i];
                if (r->trans != self && r->trans != without && r->mode != WIRE_MODE_READ &&
                    !causality_before(c, without, causality_clock(c, r->trans)) && !causality_remember(i, &c->again))
                        return false;
        }
        while (c->again.n) {
                const struct causality_rec *r = &c->recs.at[c->again.at[--c->again.n]];
                struct wire_access a = access_of(c, r);
                *state = op_apply(&a, *state);
        }
        return true;
}

/* The state after all accesses of k's transition, of which k is the first, the latest being at `last`. */
static bool state_with(struct causality *c, uint32_t last, uint32_t k, uint64_t *state)
{
        for (uint32_t i = last;; i = c->recs.at[i].prev) {
                if (!causality_remember(i, &c->again))
                        return false;
                if (i == k)
                        break;
        }
        while (c->again.n) {
                struct wire_access a = access_of(c, &c->recs.at[c->again.at[--c->again.n]]);
                *state = op_apply(&a, *state);
        }
        return true;
}

/* A blocking operation and an earlier transition, whose accesses are those from `last` back to k, that it does not already
 * come after. */
static bool meet(struct causality *c, uint32_t head, uint32_t self, uint32_t last, uint32_t k,
                 const struct wire_access *a, bool dependent, uint64_t state)
{
        uint32_t t = c->recs.at[k].trans;
        uint64_t with;

        if (!state_without(c, head, self, k, &state))
                return false;
        with = state;
        if (!op_may(a, state)) {
                if (!dependent || causality_before(c, t, c->past))
                        return true;
                join(c, c->past, t);
                return causality_remember(t, &c->ordered);
        }
        if (!dependent && !state_with(c, last, k, &with))
                return false;
        if (!dependent && op_may(a, with))
                return true;
        join(c, c->raced, t);
        return (!dependent || causality_remember(t, &c->ordered)) && causality_remember(t, &c->rivals);
}

bool commuting_conflicts(struct causality *c, uint32_t head, uint32_t self, const struct wire_access *a, bool blocks,
                         uint32_t mask)
{
        bool known = self != CAUSALITY_NONE;
        bool any = false, reads = true; /* of the transition at hand: is any access dependent, are all of them reads? */
        uint64_t state = op_state(a->op, a->value);
        uint32_t last = CAUSALITY_NONE; /* its latest access */

        if (!c->commuting) {
                memcpy(c->past, c->base, c->stride * sizeof *c->past);
                memset(c->raced, 0, c->stride * sizeof *c->raced);
                c->commuting = true;
        }

        for (uint32_t k = head; k != CAUSALITY_NONE; k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];
                struct wire_access earlier = access_of(c, r);
                bool dependent = op_modes_conflict(a->mode, r->mode) && !op_commute(&earlier, a);

                if (r->trans == self || !(r->mask & mask))
                        continue;
                if (op_same_kind(r->op, r->value, a->op, a->value)) { /* others leave the state as it is */
                        state = op_state(r->op, r->value);
                        known = true;
                }
                if (causality_before(c, r->trans, c->base) || causality_before(c, r->trans, c->raced)) {
                        if (is_cut(r, mask))
                                break;
                        continue;
                }
                if (last == CAUSALITY_NONE || c->recs.at[last].trans != r->trans) {
                        last = k;
                        any = false;
                        reads = true;
                }
                any |= dependent;
                reads &= r->mode == WIRE_MODE_READ;
                if (blocks && r->prev != CAUSALITY_NONE && c->recs.at[r->prev].trans == r->trans)
                        continue; /* the first access tells the state that the operation would have met */
                dependent |= blocks && any;
                if (!dependent && (!blocks || reads))
                        continue;
                if (blocks && known) {
                        if (!meet(c, head, self, last, k, a, dependent, state))
                                return false;
                } else if (dependent) {
                        if (!causality_remember(r->trans, blocks ? &c->ordered : &c->found))
                                return false;
                        join(c, blocks ? c->past : c->raced, r->trans);
                }
        }
        return true;
}

void commuting_mark_cuts(struct causality *c, uint32_t from, const uint32_t *clock)
{
        for (uint32_t i = from; i < c->recs.n; i++) {
                struct causality_rec *r = &c->recs.at[i];
                bool cut = op_commuting(r->op) && r->mode == WIRE_MODE_WRITE;

                for (uint32_t k = r->prev; cut && k != CAUSALITY_NONE; k = c->recs.at[k].prev) {
                        cut = causality_before(c, c->recs.at[k].trans, clock);
                        if (is_cut(&c->recs.at[k], 0xff))
                                break;
                }
                r->cut = cut;
        }
}
