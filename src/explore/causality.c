/*
 * Clocks, access histories and races.
 *
 * For each granule of 8 bytes there is a list of accesses, the latest first, with the bytes they cover.  A new access
 * walks it until the bytes are covered by writes: what it conflicts with on the way is all that can be in an immediate
 * race with it (older accesses are ordered before the covering write).
 *
 * A blocking operation needs care: it conflicts with the release that enabled it, but could not have run before that.
 * The walk goes on to the latest access before which the operation was enabled, judged by the state that the trace
 * recorded (op_enabled): that is the event it raced with, for a mutex the previous lock (the race of blocking
 * transitions in Abdulla, Aronis, Jonsson, Sagonas: Source sets, JACM 2017, section 6).
 *
 * The edges of create, join and wakeup belong to the thread's next transition, not to the one during which they came
 * about: a transition that reads x and then finds its child ended is not ordered after the child.
 */
#include "explore/causality.h"

#include <stdlib.h>
#include <string.h>

#include "explore/buffered.h"
#include "explore/refined.h"
#include "op/op.h"

bool causality_init(struct causality *c)
{
        memset(c, 0, sizeof *c);
        c->slot_bits = 10;
        c->slots = calloc((size_t)1 << c->slot_bits, sizeof *c->slots);
        return c->slots != NULL;
}

void causality_fini(struct causality *c)
{
        vec_fini(&c->trans);
        vec_fini(&c->clocks);
        vec_fini(&c->recs);
        vec_fini(&c->edges);
        vec_fini(&c->stores);
        vec_fini(&c->forwards);
        vec_fini(&c->found);
        vec_fini(&c->ordered);
        vec_fini(&c->rivals);
        vec_fini(&c->again);
        vec_fini(&c->blockers);
        for (uint32_t i = 0; i < c->stride; i++) {
                vec_fini(&c->actors[i].all);
                vec_fini(&c->actors[i].stores);
        }
        free(c->slots);
        free(c->actors);
        free(c->base);
        free(c->past);
        free(c->raced);
}

void causality_reset(struct causality *c)
{
        c->trans.n = c->clocks.n = c->recs.n = c->edges.n = c->stores.n = c->forwards.n = c->settled = 0;
        memset(c->slots, 0, sizeof *c->slots << c->slot_bits);
        c->n_slots = 0;
        for (uint32_t i = 0; i < c->stride; i++) {
                c->actors[i].last = c->actors[i].edges = CAUSALITY_NONE;
                c->actors[i].all.n = c->actors[i].stores.n = c->actors[i].owner = c->actors[i].buffers = 0;
        }
}

/* Room for this actor in every clock. */
static bool need_actor(struct causality *c, uint32_t actor)
{
        uint32_t old = c->stride, wide = old ? old : 8;
        uint32_t *clocks;

        if (actor < old)
                return true;
        while (wide <= actor)
                wide *= 2;
        struct causality_actor *actors = realloc(c->actors, wide * sizeof *actors);
        if (!actors)
                return false;
        c->actors = actors;
        uint32_t **scratch[] = {&c->base, &c->past, &c->raced};
        for (unsigned i = 0; i < sizeof scratch / sizeof *scratch; i++) {
                uint32_t *more = realloc(*scratch[i], wide * sizeof *more);
                if (!more)
                        return false;
                *scratch[i] = more;
        }
        clocks = calloc((size_t)(c->trans.n + 64) * wide, sizeof *clocks);
        if (!clocks)
                return false;
        for (uint32_t i = 0; i < c->trans.n; i++)
                memcpy(&clocks[(size_t)i * wide], &c->clocks.at[(size_t)i * old], old * sizeof *clocks);
        for (uint32_t i = old; i < wide; i++) {
                memset(&c->actors[i], 0, sizeof c->actors[i]);
                c->actors[i].last = c->actors[i].edges = CAUSALITY_NONE;
                c->base[i] = 0;
        }
        free(c->clocks.at);
        c->clocks.at = clocks;
        c->clocks.n = c->trans.n * wide;
        c->clocks.room = (c->trans.n + 64) * wide;
        c->stride = wide;
        return true;
}

static void join(uint32_t *to, const uint32_t *from, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                to[i] = from[i] > to[i] ? from[i] : to[i];
}

/* Edges. */

static bool add_edge(struct causality *c, uint32_t from, uint32_t actor)
{
        struct causality_edge *e;

        if (!vec_reserve(&c->edges, 1))
                return false;
        e = vec_push(&c->edges);
        e->from = from;
        e->actor = (uint16_t)actor;
        e->prev = c->actors[actor].edges;
        c->actors[actor].edges = c->edges.n - 1;
        return true;
}

/* All that `from` has done so far happens before what `to` does next. */
static bool add_edges(struct causality *c, uint32_t from, uint32_t to)
{
        const struct causality_actor *a = &c->actors[from];

        if (a->last != CAUSALITY_NONE && !add_edge(c, a->last, to))
                return false;
        for (uint32_t i = a->edges; i != CAUSALITY_NONE; i = c->edges.at[i].prev)
                if (!add_edge(c, c->edges.at[i].from, to))
                        return false;
        return true;
}

/* All that the buffers of `from` have flushed so far happens before what `to` does next. */
static bool add_flushes(struct causality *c, uint32_t from, uint32_t to)
{
        for (uint32_t b = c->actors[from].buffers; b; b = c->actors[b - 1].buffers)
                if (c->actors[b - 1].last != CAUSALITY_NONE && !add_edge(c, c->actors[b - 1].last, to))
                        return false;
        return true;
}

static bool note_edges(struct causality *c, const struct wire_event *e)
{
        if (e->weak & WIRE_WEAK_BUFFERED)
                return need_actor(c, e->choice > e->actor ? e->choice : e->actor) && buffered_store(c, e);
        if ((e->weak & WIRE_WEAK_DRAINED) && !(e->flags & WIRE_EV_SCHED) && !add_flushes(c, e->actor, e->actor))
                return false;
        if (e->op != OP_CREATE && e->op != OP_WAKE && e->op != OP_JOIN)
                return true;
        if (!need_actor(c, e->choice > e->actor ? e->choice : e->actor))
                return false;
        if (e->op == OP_JOIN)
                return add_edges(c, e->choice, e->actor) && add_flushes(c, e->choice, e->actor);
        return add_edges(c, e->actor, e->choice);
}

bool causality_prologue(struct causality *c, const struct wire_event *e, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                if (!need_actor(c, e[i].actor) || !note_edges(c, &e[i]))
                        return false;
        return true;
}

/* What happens before the next transition of the actor. */
static void base_of(const struct causality *c, uint32_t actor, uint32_t *base)
{
        const struct causality_actor *a = &c->actors[actor];

        memset(base, 0, c->stride * sizeof *base);
        if (a->last != CAUSALITY_NONE)
                join(base, causality_clock(c, a->last), c->stride);
        for (uint32_t i = a->edges; i != CAUSALITY_NONE; i = c->edges.at[i].prev)
                join(base, causality_clock(c, c->edges.at[i].from), c->stride);
}

/* Histories. */

static uint32_t slot_find(const struct causality *c, uint64_t granule)
{
        uint32_t mask = (1u << c->slot_bits) - 1;
        uint32_t i = (uint32_t)((granule * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - c->slot_bits));

        while (c->slots[i].granule && c->slots[i].granule != granule + 1)
                i = (i + 1) & mask;
        return i;
}

uint32_t causality_head(const struct causality *c, uint64_t granule)
{
        uint32_t s = slot_find(c, granule);

        return c->slots[s].granule ? c->slots[s].head : CAUSALITY_NONE;
}

/* Grows the table; slots move, so the records' references are renewed. */
static bool slots_grow(struct causality *c)
{
        struct causality_slot *old = c->slots;
        uint32_t n = 1u << c->slot_bits;

        c->slots = calloc((size_t)n * 2, sizeof *c->slots);
        if (!c->slots) {
                c->slots = old;
                return false;
        }
        c->slot_bits++;
        for (uint32_t i = 0; i < n; i++) {
                if (!old[i].granule)
                        continue;
                uint32_t s = slot_find(c, old[i].granule - 1);
                c->slots[s] = old[i];
                for (uint32_t r = old[i].head; r != CAUSALITY_NONE; r = c->recs.at[r].prev)
                        c->recs.at[r].slot = s;
        }
        free(old);
        return true;
}

static bool slot_get(struct causality *c, uint64_t granule, uint32_t *slot)
{
        uint32_t s;

        if (c->n_slots * 2 >= 1u << c->slot_bits && !slots_grow(c))
                return false;
        s = slot_find(c, granule);
        if (!c->slots[s].granule) {
                c->slots[s].granule = granule + 1;
                c->slots[s].head = CAUSALITY_NONE;
                c->n_slots++;
        }
        *slot = s;
        return true;
}

static bool remember(uint32_t trans, struct causality_list *v)
{
        if (!vec_reserve(v, 1))
                return false;
        *vec_push(v) = trans;
        return true;
}

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

/* What kept a blocking operation from running is a set of accesses that commute: it races with each that could have come
 * after it. */
static bool race_with_each(struct causality *c, uint32_t head, const struct wire_access *a)
{
        uint32_t oldest = CAUSALITY_NONE, k;

        for (k = head; k != CAUSALITY_NONE && c->recs.at[k].mode != WIRE_MODE_WRITE; k = c->recs.at[k].prev)
                if (c->recs.at[k].mode == WIRE_MODE_COMMUTE)
                        oldest = k;
        for (k = head; oldest != CAUSALITY_NONE; k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];

                if (r->mode == WIRE_MODE_COMMUTE && enabled_without(c, oldest, head, k, a) &&
                    !remember(r->trans, &c->blockers))
                        return false;
                if (k == oldest)
                        break;
        }
        return true;
}

/* The next access to look at, for one of this mode: from the latest (head), or from one that has been looked at.  Reads
 * pass over reads at once, or a loop that reads the same again and again would cost the square of its rounds. */
static uint32_t latest(const struct causality *c, uint32_t head, uint32_t mode)
{
        return mode == WIRE_MODE_READ && head != CAUSALITY_NONE && c->recs.at[head].mode == WIRE_MODE_READ
                       ? c->recs.at[head].unread
                       : head;
}

static uint32_t older(const struct causality_rec *r, uint32_t mode)
{
        return mode == WIRE_MODE_READ ? r->unread : r->prev;
}

/* Is the access before this one to the same bytes, in a conflicting mode, and of the same transition?  Then that one tells the
 * state that the operation would have met in the place of the transition. */
static bool inside(const struct causality *c, const struct causality_rec *r, const struct wire_access *a, uint32_t mask)
{
        const struct causality_rec *before = r->prev == CAUSALITY_NONE ? NULL : &c->recs.at[r->prev];

        return before && before->trans == r->trans && (before->mask & mask) && op_modes_conflict(a->mode, before->mode);
}

/* What an access conflicts with: transitions into `found`, those it only had to wait for into `ordered`, and those that a
 * blocking operation races with into `blockers` and `direct`. */
static bool conflicts(struct causality *c, uint32_t head, uint32_t self, const struct wire_access *a, bool blocks,
                      uint32_t mask)
{
        bool waited = false, covered = false;
        bool enabled = self != CAUSALITY_NONE; /* in the state that the walk has come to: it runs now, or is blocked */

        for (uint32_t k = latest(c, head, a->mode), next; k != CAUSALITY_NONE && mask; k = next) {
                const struct causality_rec *r = &c->recs.at[k];

                next = older(r, a->mode);
                if (r->trans == self || !(r->mask & mask) || !op_modes_conflict(a->mode, r->mode) ||
                    (blocks && inside(c, r, a, mask)))
                        continue;
                if (c->stores.n && buffered_own(c, a->actor, c->trans.at[r->trans].actor)) {
                        if (r->mode == WIRE_MODE_WRITE) /* what lies behind it is ordered before both, or by neither */
                                mask &= (uint32_t)~r->mask;
                        continue;
                }
                if (c->stores.n && buffered_siblings(c, a->actor, c->trans.at[r->trans].actor)) {
                        if (!remember(r->trans, &c->ordered))
                                return false;
                        mask &= (uint32_t)~r->mask;
                        continue;
                }
                if (blocks && op_same_kind(r->op, r->value, a->op, a->value)) /* others leave the state as it is */
                        enabled = op_may(a, op_state(r->op, r->value));
                if (blocks && !enabled && c->direct == CAUSALITY_NONE) {
                        if (!covered && !remember(r->trans, &c->ordered))
                                return false;
                        covered |= r->mode == WIRE_MODE_WRITE && (r->cut || !op_refined(r->op));
                        waited = true;
                        continue;
                }
                if (waited && c->direct == CAUSALITY_NONE && r->mode != WIRE_MODE_COMMUTE)
                        return remember(r->trans, &c->blockers);
                if (waited && r->mode == WIRE_MODE_WRITE)
                        return remember(r->trans, &c->ordered) && race_with_each(c, head, a);
                if (waited) {
                        if (c->direct == CAUSALITY_NONE)
                                c->direct = r->trans;
                        if (!remember(r->trans, &c->ordered))
                                return false;
                        continue;
                }
                if (!remember(r->trans, &c->found))
                        return false;
                if (self == CAUSALITY_NONE)
                        return true; /* the last that it could have come before */
                if (r->mode == WIRE_MODE_WRITE && (r->cut || !op_refined(r->op)))
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

bool causality_conflicts(struct causality *c, const struct wire_access *a,
                         bool (*found)(void *arg, uint32_t i, uint32_t actor), void *arg)
{
        uint64_t g = a->obj >> 3, last = (a->obj + (a->size ? a->size - 1 : 0)) >> 3;

        if (!need_actor(c, a->actor))
                return false;
        base_of(c, a->actor, c->base);
        for (; g <= last; g++) {
                uint32_t s = slot_find(c, g), mask = mask_in(g, a->obj, a->size);

                for (uint32_t k = c->slots[s].granule ? latest(c, c->slots[s].head, a->mode) : CAUSALITY_NONE, next;
                     k != CAUSALITY_NONE; k = next) {
                        const struct causality_rec *r = &c->recs.at[k];

                        next = older(r, a->mode);
                        if (r->mask & mask && op_modes_conflict(a->mode, r->mode) &&
                            !causality_before(c, r->trans, c->base) && !found(arg, r->trans, a->actor))
                                return false;
                }
        }
        return true;
}

/* One more access of the transition to the granule of this slot; there is room. */
static struct causality_rec *add_rec(struct causality *c, uint32_t slot, uint32_t trans, uint32_t mask)
{
        uint32_t prev = c->slots[slot].head;
        struct causality_rec *r = vec_push(&c->recs);

        *r = (struct causality_rec){.trans = trans, .prev = prev, .unread = latest(c, prev, WIRE_MODE_READ), .slot = slot,
                                    .mode = WIRE_MODE_READ, .mask = (uint8_t)mask, .op = OP_READ};
        c->slots[slot].head = c->recs.n - 1;
        return r;
}

/* Adds the access to its histories, having looked for conflicts in each. */
static bool access(struct causality *c, const struct wire_event *e, uint32_t trans, bool first)
{
        uint64_t g = e->obj >> 3, last = (e->obj + (e->size ? e->size - 1 : 0)) >> 3;
        struct wire_access a = op_access(e);
        bool blocks = first && op_blocks(e->op); /* one that had to wait would have begun a transition */

        for (; g <= last; g++) {
                uint32_t mask = mask_in(g, e->obj, e->size), slot;
                struct causality_rec *r;

                if (!slot_get(c, g, &slot) || !vec_reserve(&c->recs, 1) ||
                    !(op_refined(a.op) ? refined_conflicts(c, c->slots[slot].head, trans, &a, blocks, mask)
                                       : conflicts(c, c->slots[slot].head, trans, &a, blocks, mask)))
                        return false;
                r = add_rec(c, slot, trans, mask);
                r->value = e->value;
                r->mode = (uint8_t)e->mode;
                r->op = e->op;
        }
        return true;
}

/* From now on transition `trans` is a read. */
static bool add_read(struct causality *c, uint64_t obj, uint32_t size, uint32_t trans)
{
        for (uint64_t g = obj >> 3; g <= (obj + size - 1) >> 3; g++) {
                uint32_t slot;

                if (!slot_get(c, g, &slot) || !vec_reserve(&c->recs, 1))
                        return false;
                add_rec(c, slot, trans, mask_in(g, obj, size));
        }
        return true;
}

/* All entries of a transition into the histories. */
static bool access_all(struct causality *c, const struct wire_event *e, uint32_t n, uint32_t trans)
{
        for (uint32_t i = 0; i < n; i++)
                if (e[i].mode != WIRE_MODE_NONE && e[i].mode != WIRE_MODE_FORWARD && !access(c, &e[i], trans, i == 0))
                        return false;
        return !c->actors[e->actor].owner || buffered_reads(c, e->actor, add_read);
}

static int descending(const void *a, const void *b)
{
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

        return x < y ? 1 : x > y ? -1 : 0;
}

static void sort_found(struct causality *c)
{
        uint32_t *v = c->found.at, n = c->found.n;

        if (n > 16) {
                qsort(v, n, sizeof *v, descending);
                return;
        }
        for (uint32_t i = 1; i < n; i++)
                for (uint32_t k = i; k > 0 && v[k - 1] < v[k]; k--) {
                        uint32_t x = v[k];
                        v[k] = v[k - 1];
                        v[k - 1] = x;
                }
}

/* The clock of the new transition, and its races, the latest first: what is ordered before a later one is no race.  The
 * races are told when the clock is complete: what must precede the operation besides the other half depends on it. */
static bool settle(struct causality *c, uint32_t actor, uint32_t *clock, causality_race race, void *arg)
{
        uint32_t n = 0;

        memcpy(clock, c->base, c->stride * sizeof *clock);
        for (uint32_t i = 0; i < c->ordered.n; i++)
                join(clock, causality_clock(c, c->ordered.at[i]), c->stride);
        sort_found(c);
        for (uint32_t i = 0; i < c->found.n; i++) {
                uint32_t t = c->found.at[i];
                if (causality_before(c, t, clock))
                        continue;
                join(clock, causality_clock(c, t), c->stride);
                c->found.at[n++] = t;
        }
        for (uint32_t i = 0; i < c->blockers.n; i++) {
                uint32_t t = c->blockers.at[i];
                if (!causality_before(c, t, c->base) && !race(arg, t, actor, clock))
                        return false;
        }
        if (c->direct != CAUSALITY_NONE && !causality_before(c, c->direct, c->base)) {
                c->pending = &c->first; /* on its own: with what came beside the earlier half it might not run */
                if (!race(arg, c->direct, actor, c->base))
                        return false;
                c->pending = NULL;
        }
        for (uint32_t i = 0; i < n; i++)
                if (!race(arg, c->found.at[i], actor, clock))
                        return false;
        for (uint32_t i = 0; i < c->rivals.n; i++)
                if (!race(arg, c->rivals.at[i], actor, clock))
                        return false;
        return true;
}

/* An operation of the actor comes: nothing is known of it yet.  `last`: it was possible only because nobody else could go
 * on, so it comes after all. */
static void begin(struct causality *c, uint32_t actor, bool last)
{
        base_of(c, actor, c->base);
        for (uint32_t i = 0; last && i < c->stride; i++)
                if (c->actors[i].last != CAUSALITY_NONE)
                        join(c->base, causality_clock(c, c->actors[i].last), c->stride);
        c->refined = false;
        c->found.n = c->ordered.n = c->rivals.n = c->blockers.n = 0;
        c->direct = CAUSALITY_NONE;
}

/* The thread that `wake` wakes could have gone on without: what it might have done (`value`), on the object of the
 * transition's first entry, races with this transition or with what kept it from that. */
static bool race_with_woken(struct causality *c, const struct wire_event *first, const struct wire_event *wake,
                            causality_race race, void *arg)
{
        struct wire_access a = {.obj = first->obj, .size = 1, .actor = (uint16_t)wake->choice, .mode = WIRE_MODE_WRITE,
                                .op = (uint8_t)wake->value};

        if (wake->op != OP_WAKE || wake->value == OP_NONE || wake->value >= OP_COUNT)
                return true;
        return causality_blocked(c, &a, race, arg);
}

/* It has waited until its deadline: what kept it waiting might have come later. */
static bool race_of_late(struct causality *c, const struct wire_event *e, causality_race race, void *arg)
{
        struct wire_access a = op_access(e);

        a.mode = WIRE_MODE_WRITE;
        return causality_blocked(c, &a, race, arg);
}

/* A cancelled thread gives up an operation: that raced with what kept it from performing it. */
static bool gives_up(struct causality *c, const struct wire_event *e, causality_race race, void *arg)
{
        struct wire_access a = {.obj = e->obj, .size = 1, .actor = e->actor, .mode = WIRE_MODE_WRITE, .op = e->op};

        return !op_blocks(e->op) || causality_blocked(c, &a, race, arg);
}

bool causality_push(struct causality *c, const struct wire_event *e, uint32_t n, causality_race race, void *arg)
{
        uint32_t j = c->trans.n, actor = e->actor;
        struct causality_trans *t;
        struct causality_actor *a;
        uint32_t *clock;

        if (e->op == OP_CANCELLED && n > 1 && !gives_up(c, &e[1], race, arg))
                return false;
        if (!need_actor(c, actor) || !vec_reserve(&c->trans, 1))
                return false;
        if ((e->flags & WIRE_EV_LAST) && op_blocks(e->op) && !race_of_late(c, e, race, arg))
                return false;
        t = vec_push(&c->trans);
        t->actor = (uint16_t)actor;
        t->rec_mark = c->recs.n;
        t->edge_mark = c->edges.n;
        t->store_mark = c->stores.n;
        t->forward_mark = c->forwards.n;
        if (e->op == OP_JOIN && !note_edges(c, e))
                return false;
        if (!vec_reserve(&c->clocks, c->stride))
                return false;
        a = &c->actors[actor];
        t->edge_mid = c->edges.n;
        t->saved_edges = a->edges;
        t->prev = a->last;
        begin(c, actor, e->flags & WIRE_EV_LAST);
        if (c->actors[actor].owner)
                buffered_flush(c, e, c->base);
        else if (e->weak & WIRE_WEAK_DRAINED)
                buffered_drained(c, actor, c->base);
        c->first = op_access(e);
        if (!access_all(c, e, n, j))
                return false;
        clock = &c->clocks.at[c->clocks.n];
        c->clocks.n += c->stride;
        if (!settle(c, actor, clock, race, arg))
                return false;
        if (c->refined)
                refined_mark_cuts(c, t->rec_mark, clock);
        clock[actor] = j + 1;
        c->settled = j + 1;
        a->last = j;
        if (!remember(j, &a->all))
                return false;
        a->edges = CAUSALITY_NONE;
        for (uint32_t i = e->op == OP_JOIN; i < n; i++)
                if (!race_with_woken(c, e, &e[i], race, arg) || !note_edges(c, &e[i]) ||
                    (e[i].mode == WIRE_MODE_FORWARD && !buffered_forward(c, &e[i], j)))
                        return false;
        return true;
}

static void pop_edges(struct causality *c, uint32_t n)
{
        while (c->edges.n > n) {
                const struct causality_edge *e = &c->edges.at[--c->edges.n];
                c->actors[e->actor].edges = e->prev;
        }
}

void causality_pop(struct causality *c, uint32_t n)
{
        while (c->trans.n > n) {
                const struct causality_trans *t = &c->trans.at[--c->trans.n];
                struct causality_actor *a = &c->actors[t->actor];

                buffered_pop(c, t->store_mark, t->forward_mark);
                pop_edges(c, t->edge_mid);
                a->edges = t->saved_edges;
                a->last = t->prev;
                a->all.n -= a->all.n && a->all.at[a->all.n - 1] == c->trans.n;
                pop_edges(c, t->edge_mark);
                while (c->recs.n > t->rec_mark) {
                        const struct causality_rec *r = &c->recs.at[--c->recs.n];
                        c->slots[r->slot].head = r->prev;
                }
        }
        c->clocks.n = n * c->stride;
        c->settled = n;
}

static bool blocked(struct causality *c, const struct wire_access *a, causality_race race, void *arg)
{
        uint32_t s = slot_find(c, a->obj >> 3);

        if (!c->slots[s].granule || !need_actor(c, a->actor))
                return true;
        begin(c, a->actor, false);
        buffered_drained(c, a->actor, c->base); /* what can block waits for the buffer */
        if (op_refined(a->op))
                return refined_conflicts(c, c->slots[s].head, CAUSALITY_NONE, a, true, 1u << (a->obj & 7)) &&
                       settle(c, a->actor, c->past, race, arg);
        if (!conflicts(c, c->slots[s].head, CAUSALITY_NONE, a, true, 1u << (a->obj & 7)))
                return false;
        if (c->direct != CAUSALITY_NONE ? !remember(c->direct, &c->blockers)
                                        : !c->blockers.n && c->found.n && !remember(c->found.at[0], &c->blockers))
                return false;
        for (uint32_t i = 0; i < c->blockers.n; i++) {
                uint32_t t = c->blockers.at[i];
                if (!causality_before(c, t, c->base) && !race(arg, t, a->actor, c->base))
                        return false;
        }
        return true;
}

bool causality_blocked(struct causality *c, const struct wire_access *a, causality_race race, void *arg)
{
        bool ok;

        c->pending = a;
        ok = blocked(c, a, race, arg);
        c->pending = NULL;
        return ok;
}
