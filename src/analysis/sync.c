/*
 * Clocks of synchronisation.
 *
 * Invariant: a vector of `clocks`, once written, is never changed, so a release shares it with the threads that acquire it, and
 * all that must be taken back are the cells that name them.
 *
 * Each rule follows the conflicts that strategies keep (hb/causality.c): what an acquire sees of an object is
 * decided by the order of conflicting operations on it.  So equivalent executions have the same clocks.
 *
 * Coarse: tokens of a semaphore, bytes of a pipe and operations of plugins are not distinguished.  An acquire sees all
 * releases before it.
 */
#include "analysis/sync.h"

#include <string.h>

#include "analysis/lanes.h"
#include "base/hash.h"
#include "op/effect.h"
#include "op/op.h"

enum { CLOCK, EPOCH, FENCE, SEEN, HELD, TXN, THREAD_CELLS }; /* of a thread */
enum { RELEASED, RELEASED_SHARED, OBJECT_CELLS };            /* of an object */

bool sync_init(struct sync *s, uint32_t width, bool limited)
{
        memset(s, 0, sizeof *s);
        s->width = width = (width + LANES - 1) / LANES * LANES;
        s->limited = limited;
        s->objects.bits = s->granules.bits = 8;
        s->objects.slots = calloc((size_t)1 << s->objects.bits, sizeof *s->objects.slots);
        s->granules.slots = calloc((size_t)1 << s->granules.bits, sizeof *s->granules.slots);
        if (!s->objects.slots || !s->granules.slots || !vec_reserve(&s->cells, width * THREAD_CELLS) ||
            !vec_reserve(&s->clocks, width))
                return false;
        memset(s->cells.at, 0, width * THREAD_CELLS * sizeof *s->cells.at);
        memset(s->clocks.at, 0, width * sizeof *s->clocks.at);
        s->cells.n = width * THREAD_CELLS;
        s->clocks.n = width;
        return true;
}

void sync_fini(struct sync *s)
{
        vec_fini(&s->cells);
        vec_fini(&s->undo);
        vec_fini(&s->clocks);
        vec_fini(&s->locks);
        free(s->objects.slots);
        free(s->granules.slots);
}

struct sync_mark sync_mark(const struct sync *s)
{
        return (struct sync_mark){s->undo.n, s->clocks.n, s->locks.n};
}

void sync_back(struct sync *s, struct sync_mark m)
{
        while (s->undo.n > m.undo) {
                const struct sync_undo *u = &s->undo.at[--s->undo.n];
                s->cells.at[u->cell] = u->old;
        }
        s->clocks.n = m.clocks;
        s->locks.n = m.locks;
}

void sync_set(struct sync *s, uint32_t cell, uint32_t value)
{
        if (s->cells.at[cell] == value)
                return;
        if (!vec_reserve(&s->undo, 1)) {
                s->failed = true;
                return;
        }
        *vec_push(&s->undo) = (struct sync_undo){cell, s->cells.at[cell]};
        s->cells.at[cell] = value;
}

/* Maps. */

static struct sync_slot *slot_of(const struct sync_map *m, uint64_t key)
{
        uint32_t mask = (1u << m->bits) - 1;
        uint32_t i = (uint32_t)hash_slot(key, m->bits);

        while (m->slots[i].key && m->slots[i].key != key + 1)
                i = (i + 1) & mask;
        return &m->slots[i];
}

static bool map_grow(struct sync_map *m)
{
        struct sync_map wide = {.n = m->n, .bits = m->bits + 1};

        wide.slots = calloc((size_t)1 << wide.bits, sizeof *wide.slots);
        if (!wide.slots)
                return false;
        for (uint32_t i = 0; i < 1u << m->bits; i++)
                if (m->slots[i].key)
                        *slot_of(&wide, m->slots[i].key - 1) = m->slots[i];
        free(m->slots);
        *m = wide;
        return true;
}

/* The first of `cells` cells for this key; without memory those of a thread, which are then of no use any more. */
static uint32_t cells_of(struct sync *s, struct sync_map *m, uint64_t key, uint32_t cells)
{
        struct sync_slot *slot;

        if (m->n * 2 >= 1u << m->bits && !map_grow(m)) {
                s->failed = true;
                return 0;
        }
        slot = slot_of(m, key);
        if (slot->key)
                return slot->base;
        if (!vec_reserve(&s->cells, cells > SYNC_GRANULE_CELLS ? cells : SYNC_GRANULE_CELLS)) {
                s->failed = true;
                return 0;
        }
        *slot = (struct sync_slot){key + 1, s->cells.n};
        memset(&s->cells.at[s->cells.n], 0, cells * sizeof *s->cells.at);
        s->cells.n += cells;
        m->n++;
        return slot->base;
}

uint32_t sync_granule(struct sync *s, uint64_t granule, bool make)
{
        const struct sync_slot *slot;

        if (make)
                return cells_of(s, &s->granules, granule, SYNC_GRANULE_CELLS);
        slot = slot_of(&s->granules, granule);
        return slot->key ? slot->base : UINT32_MAX;
}

static uint32_t object(struct sync *s, const struct wire_event *e)
{
        uint64_t kind = op_object(e->op);

        return cells_of(s, &s->objects, e->obj ^ kind << 56, OBJECT_CELLS);
}

/* Clocks. */

static uint32_t thread_cell(uint32_t actor, uint32_t which)
{
        return actor * THREAD_CELLS + which;
}

static uint32_t get(const struct sync *s, uint32_t actor, uint32_t which)
{
        return s->cells.at[thread_cell(actor, which)];
}

static uint32_t *vector(const struct sync *s, uint32_t clock)
{
        return &s->clocks.at[(size_t)clock * s->width];
}

uint32_t sync_epoch(const struct sync *s, uint32_t actor)
{
        return get(s, actor, EPOCH) + 1;
}

uint32_t sync_held(const struct sync *s, uint32_t actor)
{
        return get(s, actor, HELD);
}

uint32_t sync_now(const struct sync *s, uint32_t actor)
{
        return get(s, actor, CLOCK);
}

const uint32_t *sync_clock(const struct sync *s, uint32_t clock)
{
        return vector(s, clock);
}

/* A new clock, not yet filled; 0 without memory. */
static uint32_t new_clock(struct sync *s)
{
        uint32_t n = s->clocks.n / s->width;

        if (!vec_reserve(&s->clocks, s->width)) {
                s->failed = true;
                return 0;
        }
        s->clocks.n += s->width;
        return n;
}

static uint32_t joined(struct sync *s, uint32_t a, uint32_t b)
{
        bool a_more, b_more;
        uint32_t c;

        if (a == b)
                return a;
        lanes_compare(vector(s, a), vector(s, b), s->width, &a_more, &b_more);
        if (!a_more || !b_more)
                return b_more ? b : a;
        c = new_clock(s);
        if (!c)
                return a;
        lanes_join(vector(s, c), vector(s, a), vector(s, b), s->width);
        return c;
}

static void acquire(struct sync *s, uint32_t actor, uint32_t clock)
{
        if (clock)
                sync_set(s, thread_cell(actor, CLOCK), joined(s, get(s, actor, CLOCK), clock));
}

/* All that the actor has done so far, as a clock; what it does next, beyond a transaction, belongs to a new epoch. */
static uint32_t publish(struct sync *s, uint32_t actor)
{
        uint32_t c = new_clock(s);

        if (!c)
                return 0;
        memcpy(vector(s, c), vector(s, get(s, actor, CLOCK)), s->width * sizeof *s->clocks.at);
        vector(s, c)[actor] = sync_epoch(s, actor);
        if (!get(s, actor, TXN))
                sync_set(s, thread_cell(actor, EPOCH), get(s, actor, EPOCH) + 1);
        return c;
}

static void release_to(struct sync *s, uint32_t actor, uint32_t cell)
{
        uint32_t c = publish(s, actor);

        sync_set(s, cell, joined(s, s->cells.at[cell], c));
}

/* Locks held. */

/* A copy of a list without this lock, or with it taken or released once more. */
static uint32_t relist(struct sync *s, uint32_t list, uint64_t obj, uint32_t kind, int change)
{
        struct sync_lock l;
        uint32_t rest;

        if (!list)
                return 0;
        l = s->locks.at[list - 1];
        if (l.obj == obj && l.kind == kind) {
                l.depth += (uint32_t)change;
                if (!l.depth)
                        return l.next;
        } else {
                rest = relist(s, l.next, obj, kind, change);
                if (rest == l.next)
                        return list;
                l.next = rest;
        }
        if (!vec_reserve(&s->locks, 1)) {
                s->failed = true;
                return list;
        }
        *vec_push(&s->locks) = l;
        return s->locks.n;
}

static void hold(struct sync *s, const struct wire_event *e, bool shared)
{
        uint32_t list = get(s, e->actor, HELD), kind = op_object(e->op), now;

        now = relist(s, list, e->obj, kind, 1);
        if (now == list) {
                if (!vec_reserve(&s->locks, 1)) {
                        s->failed = true;
                        return;
                }
                *vec_push(&s->locks) =
                        (struct sync_lock){.obj = e->obj, .kind = kind, .depth = 1, .shared = shared, .next = list};
                now = s->locks.n;
        }
        sync_set(s, thread_cell(e->actor, HELD), now);
}

static void let_go(struct sync *s, const struct wire_event *e)
{
        sync_set(s, thread_cell(e->actor, HELD), relist(s, get(s, e->actor, HELD), e->obj, op_object(e->op), -1));
}

static void take(struct sync *s, const struct wire_event *e, bool shared)
{
        uint32_t o;

        if (!op_took(e))
                return;
        hold(s, e, shared);
        if (s->limited)
                return;
        o = object(s, e);
        acquire(s, e->actor, s->cells.at[o + RELEASED]);
        if (!shared)
                acquire(s, e->actor, s->cells.at[o + RELEASED_SHARED]);
}

static void release_lock(struct sync *s, const struct wire_event *e)
{
        bool shared = e->op == OP_RWLOCK_UNLOCK && OP_OWNER(e->value) == 0;

        let_go(s, e);
        if (!s->limited)
                release_to(s, e->actor, object(s, e) + (shared ? RELEASED_SHARED : RELEASED));
}

/* Synchronisation in both directions, with what came before on the same object. */
static void meet(struct sync *s, const struct wire_event *e, bool acquires, bool releases)
{
        uint32_t o = object(s, e);

        if (acquires)
                acquire(s, e->actor, s->cells.at[o + RELEASED]);
        if (releases)
                release_to(s, e->actor, o + RELEASED);
}

/* It is done.  A thread that finds this out by probing the guard itself comes after what was done: the fast path of C++ static
 * locals is an atomic load. */
static void end_once(struct sync *s, const struct wire_event *e)
{
        uint32_t base = sync_granule(s, e->obj >> 3, true), released;

        meet(s, e, false, true);
        released = s->cells.at[object(s, e) + RELEASED];
        for (uint32_t i = 1; i <= 8 && !s->failed; i++)
                sync_set(s, base + i, released);
}

static void fence(struct sync *s, const struct wire_event *e)
{
        if (e->flags & WIRE_EV_ACQUIRE)
                acquire(s, e->actor, get(s, e->actor, SEEN));
        if (e->flags & WIRE_EV_RELEASE)
                sync_set(s, thread_cell(e->actor, FENCE), publish(s, e->actor));
}

/* Operations that order in a way of their own. */
static void step_own(struct sync *s, const struct wire_event *e)
{
        switch (e->op) {
        case OP_CREATE: acquire(s, e->choice, publish(s, e->actor)); return;
        case OP_JOIN: acquire(s, e->actor, publish(s, e->choice)); return;
        case OP_WAKE:
                if (!(e->flags & WIRE_EV_SPUN))
                        acquire(s, e->choice, publish(s, e->actor));
                return;
        case OP_FENCE: fence(s, e); return;
        case OP_BARRIER_WAIT:
                if (WIRE_IS_ROUND(e->obj))
                        meet(s, e, false, true);
                return;
        case OP_ONCE_END: end_once(s, e); return;
        }
}

/* Is what the actor does a part of a transaction that commits? */
static void note_transaction(struct sync *s, const struct wire_event *e)
{
        uint32_t before = get(s, e->actor, TXN), now = e->op == OP_TXN_RUN && e->value == WIRE_TXN_STARTED;

        if (!(e->flags & WIRE_EV_SCHED) || !(before | now))
                return;
        sync_set(s, thread_cell(e->actor, EPOCH), get(s, e->actor, EPOCH) + before);
        sync_set(s, thread_cell(e->actor, TXN), now);
}

void sync_step(struct sync *s, const struct wire_event *e)
{
        bool changes = e->mode != WIRE_MODE_READ && !(e->flags & WIRE_EV_FAILED);

        note_transaction(s, e);
        if (op_has(e->op, OPF_NAMES_THREAD) && e->choice >= s->width)
                return; /* not a thread of this trace */
        if (effect_is_locked(e->obj)) {
                meet(s, e, true, changes);
                return;
        }
        switch (op_order(e->op)) {
        case OP_NO_ORDER: return;
        case OP_ACQUIRES: meet(s, e, true, false); return;
        case OP_ACQUIRES_TAKEN: meet(s, e, op_took(e), false); return;
        case OP_RELEASES: meet(s, e, false, true); return;
        case OP_MEETS: meet(s, e, true, changes); return;
        case OP_TAKES: take(s, e, false); return;
        case OP_TAKES_SHARED: take(s, e, true); return;
        case OP_GIVES: release_lock(s, e); return;
        case OP_OWN_ORDER: step_own(s, e); return;
        }
}

/* Memory. */

static uint32_t commits_of(struct sync *s, uint32_t cell)
{
        return cells_of(s, &s->objects, cell ^ (uint64_t)OP_OBJ_MEMORY << 56, OBJECT_CELLS) + RELEASED;
}

/* A transaction that reads what an atomic update writes later is ordered before it: both are full fences, and the update is not
 * seen by the transaction.  So a thread that takes a lock which transactions read (lock elision) comes after them. */
static void order_commits(struct sync *s, const struct wire_event *e, bool writes, uint32_t base, uint32_t mask)
{
        bool commit = get(s, e->actor, TXN), waits = writes && (commit || e->flags & WIRE_EV_ACQUIRE);
        uint32_t now = commit && !writes ? publish(s, e->actor) : 0, cell;

        s->commits |= now != 0;
        for (uint32_t i = 0; i < 8 && s->commits && (now || waits); i++) {
                cell = mask >> i & 1 ? commits_of(s, base + 1 + i) : 0;
                if (cell && waits)
                        acquire(s, e->actor, s->cells.at[cell]);
                else if (cell)
                        sync_set(s, cell, joined(s, s->cells.at[cell], now));
        }
}

/* The bytes have this clock from now on; `continues`: an update continues with the release sequence that it reads from. */
static void write_bytes(struct sync *s, uint32_t base, uint32_t mask, uint32_t now, bool continues)
{
        uint32_t last = UINT32_MAX, next = now;

        for (; mask; mask &= mask - 1) {
                uint32_t cell = base + 1 + (uint32_t)__builtin_ctz(mask), before = s->cells.at[cell];

                if (continues && before != last)
                        next = joined(s, before, now);
                last = before;
                sync_set(s, cell, next);
        }
}

void sync_memory(struct sync *s, const struct wire_event *e, uint32_t base, uint32_t mask)
{
        bool section = e->flags & WIRE_EV_SECTION, atomic = (e->flags & WIRE_EV_ATOMIC) || section;
        bool writes = e->mode == WIRE_MODE_WRITE,
             reads = !writes || e->op == OP_RMW || e->op == OP_UPDATE || e->op == OP_CAS || section;
        uint32_t now = 0, last = 0;

        note_transaction(s, e);
        if (!atomic && !writes)
                return;
        if (atomic)
                order_commits(s, e, writes, base, mask);
        if (atomic && writes)
                now = section || (e->flags & WIRE_EV_RELEASE) ? UINT32_MAX : get(s, e->actor, FENCE);
        for (uint32_t m = atomic && reads ? mask : 0; m; m &= m - 1) {
                uint32_t before = s->cells.at[base + 1 + (uint32_t)__builtin_ctz(m)];

                if (!before || before == last)
                        continue;
                if (section || (e->flags & WIRE_EV_ACQUIRE))
                        acquire(s, e->actor, before);
                else
                        sync_set(s, thread_cell(e->actor, SEEN), joined(s, get(s, e->actor, SEEN), before));
                last = before;
        }
        if (writes)
                write_bytes(s, base, mask, now == UINT32_MAX ? publish(s, e->actor) : now, atomic && reads);
}

/* Stores that wait in a buffer. */

uint32_t sync_store(struct sync *s, const struct wire_event *e)
{
        if (e->op == OP_SPIN_UNLOCK) {
                let_go(s, e);
                return s->limited ? 0 : publish(s, e->actor);
        }
        if (!(e->flags & WIRE_EV_ATOMIC))
                return 0;
        return e->flags & WIRE_EV_RELEASE ? publish(s, e->actor) : get(s, e->actor, FENCE);
}

void sync_flush(struct sync *s, uint32_t base, uint32_t mask, uint32_t clock)
{
        for (uint32_t i = 0; i < 8; i++)
                if (mask >> i & 1)
                        sync_set(s, base + 1 + i, clock);
}

void sync_flush_object(struct sync *s, const struct wire_event *e, uint32_t clock)
{
        uint32_t cell = object(s, e) + RELEASED;

        sync_set(s, cell, joined(s, s->cells.at[cell], clock));
}
