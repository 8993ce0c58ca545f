/*
 * Clocks and races, from the conflicts that history.c finds.
 *
 * The edges of create, join and wakeup belong to the thread's next transition, not to the one during which they came
 * about: a transition that reads x and then finds its child ended is not ordered after the child.
 */
#include "hb/causality.h"

#include <stdlib.h>
#include <string.h>

#include "hb/cancellation.h"
#include "hb/causality_check.h"
#include "hb/store_buffers.h"
#include "hb/granules.h"
#include "hb/history.h"
#include "hb/reader_sections.h"
#include "base/assert.h"
#include "base/deadline.h"
#include "hb/commuting.h"
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
        vec_fini(&c->dropped);
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
        if (!op_has(e->op, OPF_NAMES_THREAD))
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

        if (a->last != CAUSALITY_NONE)
                memcpy(base, causality_clock(c, a->last), c->stride * sizeof *base);
        else
                memset(base, 0, c->stride * sizeof *base);
        for (uint32_t i = a->edges; i != CAUSALITY_NONE; i = c->edges.at[i].prev)
                clock_join(base, causality_clock(c, c->edges.at[i].from), c->stride);
}

bool causality_conflicts(struct causality *c, const struct wire_access *a,
                         bool (*found)(void *arg, uint32_t i, uint32_t actor), void *arg)
{
        if (!need_actor(c, a->actor))
                return false;
        base_of(c, a->actor, c->base);
        return history_each(c, a, found, arg);
}

/* All entries of a transition into the histories. */
static bool access_all(struct causality *c, const struct wire_event *e, uint32_t n, uint32_t trans)
{
        for (uint32_t i = 0; i < n; i++) {
                if (e[i].mode != WIRE_MODE_NONE && e[i].mode != WIRE_MODE_FORWARD &&
                    !history_access(c, &e[i], trans, i == 0))
                        return false;
                if (late_soon())
                        return false;
        }
        return !c->actors[e->actor].owner || buffered_reads(c, e->actor, history_read);
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

/* The clock of the new transition, and its races, the latest first: what is ordered before a later one is not a race.  The
 * races are reported when the clock is complete: what must precede the operation, other than the other half, depends on it. */
static bool settle(struct causality *c, uint32_t actor, uint32_t *clock, causality_race race, void *arg)
{
        uint32_t n = 0;

        memcpy(clock, c->base, c->stride * sizeof *clock);
        for (uint32_t i = 0; i < c->ordered.n; i++)
                clock_join(clock, causality_clock(c, c->ordered.at[i]), c->stride);
        sort_found(c);
        for (uint32_t i = 0; i < c->found.n; i++) {
                uint32_t t = c->found.at[i];
                if (causality_before(c, t, clock))
                        continue;
                clock_join(clock, causality_clock(c, t), c->stride);
                if (t != c->enabler)
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

/* An operation of the actor comes: nothing is known of it yet.  `last`: it was possible only because no other actor could
 * run, so it comes after all. */
static void begin(struct causality *c, uint32_t actor, bool last)
{
        base_of(c, actor, c->base);
        for (uint32_t i = 0; last && i < c->stride; i++)
                if (c->actors[i].last != CAUSALITY_NONE)
                        clock_join(c->base, causality_clock(c, c->actors[i].last), c->stride);
        c->commuting = false;
        c->found.n = c->ordered.n = c->rivals.n = c->blockers.n = 0;
        c->direct = c->enabler = CAUSALITY_NONE;
}

/* The thread that entry i wakes could have continued without: what it might have done (`value`), on the condition variable
 * that was signalled by an entry before it, races with this transition or with what kept it from that. */
static bool race_with_woken(struct causality *c, const struct wire_event *e, uint32_t i, causality_race race, void *arg)
{
        const struct wire_event *wake = &e[i];
        struct wire_access a = {
                .size = 1, .actor = (uint16_t)wake->choice, .mode = WIRE_MODE_WRITE, .op = (uint8_t)wake->value};

        if (wake->op != OP_WAKE || wake->value == OP_NONE || wake->value >= OP_COUNT)
                return true;
        while (i > 0 && op_object(e[i].op) != OP_OBJ_COND)
                i--;
        a.obj = e[i].obj;
        return causality_blocked(c, &a, race, arg);
}

/* It has waited until its deadline: what kept it waiting might have come later. */
static bool race_of_late(struct causality *c, const struct wire_event *e, causality_race race, void *arg)
{
        struct wire_access a = op_access(e);

        a.mode = WIRE_MODE_WRITE;
        return causality_blocked(c, &a, race, arg);
}

/* A cancelled thread gives up the operation of this entry, which had to wait: that raced with what kept it from running. */
static bool race_of_given_up(struct causality *c, const struct wire_event *e, causality_race race, void *arg)
{
        struct wire_access a = {.obj = e->obj, .size = 1, .actor = e->actor, .mode = WIRE_MODE_WRITE, .op = e->op};

        return !op_blocks(e->op) || causality_blocked(c, &a, race, arg);
}

/* Does a signal interrupt the operation of the entry after this one, which has to wait? */
static bool interrupts(const struct wire_event *e)
{
        struct wire_access a;

        if (e->op != OP_SIGNAL_POINT || !op_blocks(e[1].op))
                return false;
        a = op_access(&e[1]);
        return !op_may(&a, op_state(a.op, a.value));
}

bool causality_push(struct causality *c, const struct wire_event *e, uint32_t n, causality_race race, void *arg)
{
        uint32_t j = c->trans.n, actor = e->actor;
        struct causality_trans *t;
        struct causality_actor *a;
        uint32_t *clock;

        if (n > 1 && (e->op == OP_CANCELLED || interrupts(e)) && !race_of_given_up(c, &e[1], race, arg))
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
        begin(c, actor, e->flags & WIRE_EV_LAST || (e->weak & WIRE_WEAK_FAIR && !c->unfair));
        if (n > 1 && (e->op == OP_CANCEL_POINT || e->op == OP_SIGNAL_POINT) && !cancellation_enabler(c, e, &c->enabler))
                return false;
        if (c->actors[actor].owner)
                buffered_flush(c, e, c->base);
        else if (e->weak & WIRE_WEAK_DRAINED)
                buffered_drained(c, actor, c->base);
        c->first = op_access(e);
        if (!access_all(c, e, n, j) ||
            (c->waits && c->earlier != CAUSALITY_NONE && !causality_remember(c->earlier, &c->blockers)))
                return false;
        clock = &c->clocks.at[c->clocks.n];
        c->clocks.n += c->stride;
        if (!settle(c, actor, clock, race, arg))
                return false;
        c->waits = false;
        if (c->commuting)
                commuting_mark_cuts(c, t->rec_mark, clock);
        clock[actor] = j + 1;
        c->settled = j + 1;
        a->last = j;
        if (!causality_remember(j, &a->all))
                return false;
        a->edges = CAUSALITY_NONE;
        for (uint32_t i = e->op == OP_JOIN; i < n; i++)
                if (!race_with_woken(c, e, i, race, arg) || !note_edges(c, &e[i]) ||
                    (e[i].mode == WIRE_MODE_FORWARD && !buffered_forward(c, &e[i], j)))
                        return false;
        heddle_check(causality_check(c, j));
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
        heddle_check(causality_check(c, n));
}

/* ... it comes after all sections that are whole, and before the first of the others.  With one of those alone that race is
 * among the first `each` blockers. */
static bool race_after_whole(struct causality *c, uint32_t head, const struct wire_access *a, uint32_t each,
                             causality_race race, void *arg)
{
        uint32_t first;

        memcpy(c->past, c->base, c->stride * sizeof *c->past);
        if (!reader_sections_whole(c, head, a, c->past, &first))
                return false;
        for (uint32_t i = 0; i < each && first != CAUSALITY_NONE; i++)
                if (c->blockers.at[i] == first)
                        return true;
        return first == CAUSALITY_NONE || race(arg, first, a->actor, c->past);
}

/* An operation that did not run.  What kept it from running may be a set of accesses that commute: it comes before one of them
 * and after the others, before all that are not part of a whole section, or before all of them (`direct`). */
static bool blocked(struct causality *c, const struct wire_access *a, causality_race race, void *arg)
{
        uint32_t head = granule_head(c, a->obj >> 3), each;

        if (head == CAUSALITY_NONE || !need_actor(c, a->actor) || buffered_waits(c, a->actor))
                return true; /* only its own buffer keeps it from running, in a run that was cut */
        begin(c, a->actor, false);
        buffered_drained(c, a->actor, c->base); /* what can block waits for the buffer */
        if (op_commuting(a->op))
                return commuting_conflicts(c, head, CAUSALITY_NONE, a, true, 1u << (a->obj & 7)) &&
                       settle(c, a->actor, c->past, race, arg);
        if (!history_conflicts(c, head, CAUSALITY_NONE, a, true, 1u << (a->obj & 7)))
                return false;
        each = c->blockers.n;
        if (!race_after_whole(c, head, a, each, race, arg))
                return false;
        if (c->direct != CAUSALITY_NONE ? !causality_remember(c->direct, &c->blockers)
                                        : !each && c->found.n && !causality_remember(c->found.at[0], &c->blockers))
                return false;
        for (uint32_t i = 0; i < c->blockers.n; i++) {
                uint32_t t = c->blockers.at[i];
                if (causality_before(c, t, c->base))
                        continue;
                memcpy(c->past, c->base, c->stride * sizeof *c->past);
                if (i < each)
                        history_others(c, head, t, c->past);
                if (!race(arg, t, a->actor, c->past))
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

void causality_waits(struct causality *c, uint32_t earlier)
{
        c->waits = true;
        c->earlier = earlier;
}

bool causality_held(struct causality *c, const struct wire_access *a, uint32_t earlier, causality_race race, void *arg)
{
        bool ok;

        if (!need_actor(c, a->actor))
                return false;
        begin(c, a->actor, false);
        if (causality_before(c, earlier, c->base))
                return true;
        memcpy(c->past, c->base, c->stride * sizeof *c->past);
        c->pending = a;
        ok = race(arg, earlier, a->actor, c->past);
        c->pending = NULL;
        return ok;
}
