/*
 * Access histories.
 *
 * For each granule of 8 bytes there is a list of accesses, the latest first, with the bytes they cover.  A new access
 * walks it until the bytes are covered by writes: what it conflicts with on the way is all that can be in an immediate
 * race with it (older accesses are ordered before the covering write).
 *
 * A blocking operation needs care: it conflicts with the release that enabled it, but could not have run before that.
 * The walk continues to the latest access before which the operation was enabled, judged by the state that the trace
 * recorded (op_enabled): that is the event it raced with, for a mutex the previous lock (the race of blocking
 * transitions in Abdulla, Aronis, Jonsson, Sagonas: Source sets, JACM 2017, section 6).
 */
#include "hb/history.h"

#include <stdlib.h>

#include "hb/store_buffers.h"
#include "base/deadline.h"
#include "hb/commuting.h"
#include "hb/granules.h"
#include "op/op.h"

/* Does i happen before t? */
static bool after(const struct causality *c, uint32_t i, uint32_t t)
{
        return causality_clock(c, t)[c->trans.at[i].actor] > i;
}

/* Would the operation be enabled if transition k->trans, and all that it happens before, had not come?  Asked where what
 * disables it commutes with others of its kind (readers): `oldest` is the first of those, and they alone changed the
 * state since. */
static bool enabled_without(const struct causality *c, uint32_t oldest, uint32_t head, uint32_t k,
                            const struct wire_access *a)
{
        uint64_t state = c->recs.at[oldest].value;
        uint32_t without = c->recs.at[k].trans;

        for (uint32_t i = head; i != CAUSALITY_NONE; i = c->recs.at[i].prev) {
                const struct causality_rec *r = &c->recs.at[i];

                if (r->mode == WIRE_MODE_COMMUTE && op_object(r->op) == op_object(a->op) && r->trans != without &&
                    !after(c, without, r->trans))
                        state = op_commuted(r->op, state);
                if (i == oldest)
                        break;
        }
        return op_may(a, state);
}

/* Would it be enabled after its own past alone? */
static bool enabled_alone(const struct causality *c, uint32_t oldest, uint32_t head, const struct wire_access *a)
{
        uint64_t state = c->recs.at[oldest].value;

        for (uint32_t i = head; i != CAUSALITY_NONE; i = c->recs.at[i].prev) {
                const struct causality_rec *r = &c->recs.at[i];

                if (r->mode == WIRE_MODE_COMMUTE && op_object(r->op) == op_object(a->op) &&
                    causality_before(c, r->trans, c->base))
                        state = op_commuted(r->op, state);
                if (i == oldest)
                        break;
        }
        return op_may(a, state);
}

/* What kept a blocking operation from running is a set of accesses that commute: it races with each that could have come
 * after it, and with the first of them if it can come before all that is not in its past. */
static bool race_with_each(struct causality *c, uint32_t head, const struct wire_access *a)
{
        uint32_t oldest = CAUSALITY_NONE, k;

        for (k = head; k != CAUSALITY_NONE && c->recs.at[k].mode != WIRE_MODE_WRITE; k = c->recs.at[k].prev)
                if (c->recs.at[k].mode == WIRE_MODE_COMMUTE)
                        oldest = k;
        for (k = head; oldest != CAUSALITY_NONE; k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];

                if (r->mode == WIRE_MODE_COMMUTE && enabled_without(c, oldest, head, k, a) &&
                    !causality_remember(r->trans, &c->blockers))
                        return false;
                if (k == oldest)
                        break;
        }
        if (oldest != CAUSALITY_NONE && !enabled_alone(c, oldest, head, a))
                c->direct = CAUSALITY_NONE;
        return true;
}

void history_others(const struct causality *c, uint32_t head, uint32_t t, uint32_t *clock)
{
        for (uint32_t k = head; k != CAUSALITY_NONE && c->recs.at[k].mode != WIRE_MODE_WRITE; k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];
                const uint32_t *other = causality_clock(c, r->trans);

                if (r->mode != WIRE_MODE_COMMUTE || r->trans == t || after(c, t, r->trans))
                        continue;
                clock_join(clock, other, c->stride);
        }
}

static bool passes_reads(uint32_t mode)
{
        return mode == WIRE_MODE_READ || mode == WIRE_MODE_LINE_READ;
}

/* The next access to look at, for one of this mode: from the latest (head), or from one that has been checked.  Reads
 * pass over reads at once, or a loop that reads the same again and again would cost the square of its rounds. */
static uint32_t latest(const struct causality *c, uint32_t head, uint32_t mode)
{
        return passes_reads(mode) && head != CAUSALITY_NONE && c->recs.at[head].mode == WIRE_MODE_READ
                       ? c->recs.at[head].unread
                       : head;
}

static uint32_t older(const struct causality_rec *r, uint32_t mode)
{
        return passes_reads(mode) ? r->unread : r->prev;
}

/* Is the access before this one to the same bytes, in a conflicting mode, and of the same transition?  Then that one tells the
 * state that the operation would have met in the place of the transition. */
static bool inside(const struct causality *c, const struct causality_rec *r, const struct wire_access *a, uint32_t mask)
{
        const struct causality_rec *before = r->prev == CAUSALITY_NONE ? NULL : &c->recs.at[r->prev];

        return before && before->trans == r->trans && (before->mask & mask) && op_modes_conflict(a->mode, before->mode);
}

bool history_conflicts(struct causality *c, uint32_t head, uint32_t self, const struct wire_access *a, bool blocks,
                       uint32_t mask)
{
        bool waited = false, covered = false;
        bool orders = c->waits && a->op == c->first.op && a->obj == c->first.obj; /* what it races with is known */
        bool weak = c->stores.n && a->op != OP_WATCH; /* all that an invariant can observe is ordered, of any actor */
        bool enabled = self != CAUSALITY_NONE; /* in the state that the walk has come to: it runs now, or is blocked */

        for (uint32_t k = latest(c, head, a->mode), next; k != CAUSALITY_NONE && mask; k = next) {
                const struct causality_rec *r = &c->recs.at[k];

                next = older(r, a->mode);
                if (late_soon())
                        return false;
                if (r->trans == self || !(r->mask & mask) || !op_modes_conflict(a->mode, r->mode) ||
                    (blocks && inside(c, r, a, mask)))
                        continue;
                if (weak && buffered_own(c, a->actor, c->trans.at[r->trans].actor)) {
                        /* What lies behind it is ordered before both, or by neither.  An abort by a conflict is ordered
                         * after accesses of others only. */
                        if (r->mode == WIRE_MODE_WRITE && a->op != OP_TXN_LINE)
                                mask &= (uint32_t)~r->mask;
                        continue;
                }
                if (weak && buffered_siblings(c, a->actor, c->trans.at[r->trans].actor)) {
                        if (!causality_remember(r->trans, &c->ordered))
                                return false;
                        mask &= (uint32_t)~r->mask;
                        continue;
                }
                if (blocks && op_same_kind(r->op, r->value, a->op, a->value)) /* others leave the state as it is */
                        enabled = op_may(a, op_state(r->op, r->value));
                if (blocks && !enabled && c->direct == CAUSALITY_NONE) {
                        if (!covered && !causality_remember(r->trans, &c->ordered))
                                return false;
                        covered |= r->mode == WIRE_MODE_WRITE && (r->cut || !op_commuting(r->op));
                        waited = true;
                        continue;
                }
                if (waited && c->direct == CAUSALITY_NONE && r->mode != WIRE_MODE_COMMUTE)
                        return causality_remember(r->trans, &c->blockers);
                if (waited && r->mode == WIRE_MODE_WRITE)
                        return causality_remember(r->trans, &c->ordered) && race_with_each(c, head, a);
                if (waited) {
                        if (c->direct == CAUSALITY_NONE)
                                c->direct = r->trans;
                        if (!causality_remember(r->trans, &c->ordered))
                                return false;
                        continue;
                }
                if (!causality_remember(r->trans, orders ? &c->ordered : &c->found))
                        return false;
                if (self == CAUSALITY_NONE)
                        return true; /* the last that it could have come before */
                if (r->mode == WIRE_MODE_WRITE && (r->cut || !op_commuting(r->op)))
                        mask &= (uint32_t)~r->mask;
        }
        return c->direct == CAUSALITY_NONE || race_with_each(c, head, a);
}

/* The bytes of an access that lie in a granule. */
static uint32_t mask_in(uint64_t g, uint64_t obj, uint32_t size)
{
        uint64_t lo = g << 3 > obj ? 0 : obj & 7;
        uint64_t hi = (g << 3) + 8 < obj + size ? 8 : obj + size - (g << 3);

        return ((1u << hi) - 1) & ~((1u << lo) - 1);
}

/* Is all that touched these bytes before it ordered before it?  Not where stores wait in buffers. */
static bool covers(const struct causality *c, const struct causality_rec *r)
{
        return r->mode == WIRE_MODE_WRITE && (r->cut || !op_commuting(r->op)) && !c->stores.n;
}

/* Is it an access of the same actor for which all that `mode` conflicts with was found before? */
static bool reported_before(const struct causality *c, const struct causality_rec *r, const struct wire_access *a)
{
        return c->trans.at[r->trans].actor == a->actor && !c->stores.n &&
               (op_mode(r->op) == WIRE_MODE_WRITE || r->mode == WIRE_MODE_WRITE || r->mode == a->mode);
}

bool history_each(const struct causality *c, const struct wire_access *a,
                  bool (*found)(void *arg, uint32_t i, uint32_t actor), void *arg)
{
        uint64_t g = a->obj >> 3, last = (a->obj + (a->size ? a->size - 1 : 0)) >> 3;

        for (; g <= last; g++) {
                uint32_t s = granule_slot(c, g), mask = mask_in(g, a->obj, a->size);

                for (uint32_t k = c->slots[s].granule ? latest(c, c->slots[s].head, a->mode) : CAUSALITY_NONE, next;
                     k != CAUSALITY_NONE && mask; k = next) {
                        const struct causality_rec *r = &c->recs.at[k];

                        next = older(r, a->mode);
                        if (late_soon())
                                return false;
                        if (reported_before(c, r, a))
                                mask &= (uint32_t)~r->mask;
                        if (!(r->mask & mask) || !op_modes_conflict(a->mode, r->mode))
                                continue;
                        if (!causality_before(c, r->trans, c->base)) {
                                if (!found(arg, r->trans, a->actor))
                                        return false;
                        } else if (covers(c, r)) {
                                mask &= (uint32_t)~r->mask;
                        }
                }
        }
        return true;
}

/* One more access of the transition to the granule of this slot; there is room. */
static struct causality_rec *add_rec(struct causality *c, uint32_t slot, uint32_t trans, uint32_t mask)
{
        uint32_t prev = c->slots[slot].head;
        struct causality_rec *r = vec_push(&c->recs);

        *r = (struct causality_rec){.trans = trans,
                                    .prev = prev,
                                    .unread = latest(c, prev, WIRE_MODE_READ),
                                    .slot = slot,
                                    .mode = WIRE_MODE_READ,
                                    .mask = (uint8_t)mask,
                                    .op = OP_READ};
        c->slots[slot].head = c->recs.n - 1;
        return r;
}

/* Has the transition touched all these bytes, in a mode that conflicts with as much?  Then one more access to them shows
 * nothing new.  There are at most 16 such records, or the square of a block's accesses would be checked. */
static bool repeated(const struct causality *c, uint32_t head, const struct wire_access *a, uint32_t trans,
                     uint32_t mask)
{
        if (!op_plain(a) || c->stores.n)
                return false;
        for (uint32_t k = head; k != CAUSALITY_NONE && c->recs.at[k].trans == trans && mask; k = c->recs.at[k].prev)
                if (c->recs.at[k].mode == WIRE_MODE_WRITE || c->recs.at[k].mode == a->mode)
                        mask &= (uint32_t)~c->recs.at[k].mask;
        return !mask;
}

bool history_access(struct causality *c, const struct wire_event *e, uint32_t trans, bool first)
{
        uint64_t g = e->obj >> 3, last = (e->obj + (e->size ? e->size - 1 : 0)) >> 3;
        struct wire_access a = op_access(e);
        bool blocks = first && op_blocks(e->op); /* one that had to wait would have begun a transition */

        for (; g <= last; g++) {
                uint32_t mask = mask_in(g, e->obj, e->size), slot;
                struct causality_rec *r;

                if (!granule_add(c, g, &slot))
                        return false;
                if (repeated(c, c->slots[slot].head, &a, trans, mask))
                        continue;
                if (!vec_reserve(&c->recs, 1) ||
                    !(op_commuting(a.op) ? commuting_conflicts(c, c->slots[slot].head, trans, &a, blocks, mask)
                                         : history_conflicts(c, c->slots[slot].head, trans, &a, blocks, mask)))
                        return false;
                r = add_rec(c, slot, trans, mask);
                r->value = e->value;
                r->mode = (uint8_t)e->mode;
                r->op = e->op;
        }
        return true;
}

bool history_read(struct causality *c, uint64_t obj, uint32_t size, uint32_t trans)
{
        for (uint64_t g = obj >> 3; g <= (obj + size - 1) >> 3; g++) {
                uint32_t slot;

                if (!granule_add(c, g, &slot) || !vec_reserve(&c->recs, 1))
                        return false;
                add_rec(c, slot, trans, mask_in(g, obj, size));
        }
        return true;
}
