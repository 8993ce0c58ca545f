/* See orders.h.  The rules are those of analysis/sync.c. */
#include "strategy/mcr/orders.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "op/barrier.h"
#include "op/effect.h"
#include "op/op.h"
#include "strategy/mcr/buffers.h"
#include "strategy/mcr/objects.h"

enum { CLOCK, FENCE, SEEN };        /* clocks of a thread */
enum { RELEASED, RELEASED_SHARED }; /* of an object; of a barrier: of two rounds */

#define FIRST_BITS 8u

uint16_t orders_of(const struct wire_event *e)
{
        uint32_t f = e->flags & (WIRE_EV_ATOMIC | WIRE_EV_FAILED | WIRE_EV_ACQUIRE | WIRE_EV_RELEASE | WIRE_EV_SECTION);

        if (op_order(e->op) != OP_NO_ORDER && op_took(e))
                f |= ORDERS_TOOK;
        if (e->mode != WIRE_MODE_READ && !(e->flags & WIRE_EV_FAILED))
                f |= ORDERS_CHANGES;
        if (e->op == OP_RWLOCK_UNLOCK && OP_OWNER(e->value) == 0)
                f |= ORDERS_SHARED;
        return (uint16_t)f;
}

void orders_fini(struct orders *o)
{
        vec_fini(&o->clocks);
        free(o->table);
}

static uint32_t *vector(const struct orders *o, uint32_t clock)
{
        return &o->clocks.at[(size_t)clock * o->width];
}

static uint32_t *slot_of(const struct orders *o, uint32_t clock)
{
        size_t bytes = o->width * sizeof *o->clocks.at;
        uint64_t h = 0, mask = (UINT64_C(1) << o->bits) - 1;

        for (uint32_t i = 0; i < o->width; i++)
                h = hash_mix(h, vector(o, clock)[i]);
        for (h = hash_draw(h);; h++) {
                uint32_t *s = &o->table[h & mask];
                if (!*s || memcmp(vector(o, *s - 1), vector(o, clock), bytes) == 0)
                        return s;
        }
}

static void index_clocks(struct orders *o)
{
        free(o->table);
        o->table = calloc((size_t)1 << o->bits, sizeof *o->table);
        if (!o->table)
                memory_out();
        for (uint32_t i = 0; i < o->clocks.n / o->width; i++)
                *slot_of(o, i) = i + 1;
}

/* Room for one more clock; its number, until it is kept. */
static uint32_t draft(struct orders *o)
{
        if (!vec_reserve(&o->clocks, o->width))
                memory_out();
        return o->clocks.n / o->width;
}

/* The number of the clock that was drafted. */
static uint32_t keep(struct orders *o)
{
        uint32_t c = o->clocks.n / o->width, *s = slot_of(o, c);

        if (*s)
                return *s - 1;
        *s = c + 1;
        o->clocks.n += o->width;
        if ((c + 1) * 2 > 1u << o->bits) {
                o->bits++;
                index_clocks(o);
        }
        return c;
}

static uint32_t joined(struct orders *o, uint32_t a, uint32_t b)
{
        uint32_t c;

        if (a == b || !b)
                return a;
        c = draft(o);
        for (uint32_t i = 0; i < o->width; i++)
                vector(o, c)[i] = vector(o, a)[i] > vector(o, b)[i] ? vector(o, a)[i] : vector(o, b)[i];
        return keep(o);
}

static uint32_t cell_of(const struct tries *t, uint32_t thread, uint32_t which)
{
        return t->cells.at[t->threads.at[thread]].order[which];
}

uint32_t orders_now(const struct tries *t, const uint64_t *now, uint32_t thread)
{
        return (uint32_t)now[cell_of(t, thread, CLOCK)];
}

uint32_t orders_known(const struct orders *o, uint32_t clock, uint32_t thread)
{
        return vector(o, clock)[thread];
}

/* All that the thread has done and knows, `accesses` of its own. */
static uint32_t publish(struct orders *o, const struct tries *t, const uint64_t *now, uint32_t thread,
                        uint32_t accesses)
{
        uint32_t c = draft(o);

        memcpy(vector(o, c), vector(o, orders_now(t, now, thread)), o->width * sizeof *o->clocks.at);
        vector(o, c)[thread] = accesses;
        return keep(o);
}

bool orders_counts(const struct tries *t, const struct node *n)
{
        if (n->kind == NODE_FREE)
                return true;
        return (n->kind == NODE_READ || n->kind == NODE_WRITE || n->kind == NODE_UPDATE || n->op == OP_FUTEX_WAIT) &&
               n->op != OP_OBSERVE && (t->cells.at[n->cell].plain || t->cells.at[n->cell].block);
}

/* The cell of a clock; its key says of what. */
static uint32_t clock_cell(struct tries *t, uint64_t of, uint32_t which)
{
        return tries_cell_make(t, CELL_CLOCK, of << 3 | which, 0);
}

/* Memory has a clock for each byte, in cells that follow each other. */
static void make_bytes(struct tries *t, uint32_t cell)
{
        for (uint32_t i = 0; i < 8; i++) {
                uint32_t c = clock_cell(t, cell, i);
                t->cells.at[cell].order[0] = i ? t->cells.at[cell].order[0] : c;
                t->unordered |= c != t->cells.at[cell].order[0] + i;
        }
}

static void make_cells(struct orders *o, struct tries *t)
{
        for (; o->celled < t->cells.n; o->celled++) {
                uint32_t kind = t->cells.at[o->celled].kind;
                uint32_t n = kind == CELL_THREAD                                                  ? SEEN + 1
                             : kind == CELL_OBJECT || kind == CELL_ORDERED || kind == CELL_CANCEL ? RELEASED_SHARED + 1
                                                                                                  : 0;
                for (uint32_t i = 0; i < n && o->celled; i++) {
                        uint32_t c = clock_cell(t, o->celled, i);
                        t->cells.at[o->celled].order[i] = c;
                }
                if (kind == CELL_MEMORY)
                        make_bytes(t, o->celled);
        }
}

bool orders_prepare(struct orders *o, struct tries *t)
{
        bool again = t->recount || t->threads.n > o->width;

        if (t->threads.n > o->width) {
                o->width = o->width ? o->width : 4;
                while (o->width < t->threads.n)
                        o->width *= 2;
                o->clocks.n = 0;
                memset(vector(o, draft(o)), 0, o->width * sizeof *o->clocks.at);
                o->clocks.n = o->width;
                o->bits = FIRST_BITS;
                index_clocks(o);
        }
        make_cells(o, t);
        o->counted = t->recount ? 0 : o->counted;
        t->recount = false;
        for (; o->counted < t->nodes.n; o->counted++) {
                struct node *n = &t->nodes.at[o->counted];
                const struct node *by = &t->nodes.at[n->parent];
                n->accesses = n->parent ? by->accesses + orders_counts(t, by) : 0;
                if (n->flags & NODE_BUFFERED) /* the clock goes with it */
                        n->root = clock_cell(t, (uint64_t)n->number << 32 | n->buffer, 0);
        }
        return again;
}

struct step {
        struct orders *o;
        const struct tries *t;
        const uint64_t *now;
        const struct node *n, *child;
        uint32_t thread;
        waiters_set *set;
        void *arg;
};

static void acquire(const struct step *s, uint32_t thread, uint32_t clock)
{
        uint32_t cell = cell_of(s->t, thread, CLOCK);

        s->set(s->arg, cell, joined(s->o, (uint32_t)s->now[cell], clock));
}

static uint32_t published(const struct step *s)
{
        return publish(s->o, s->t, s->now, s->thread, s->child->accesses);
}

static void meet(const struct step *s, bool acquires, bool releases, uint32_t which)
{
        uint32_t cell = s->t->cells.at[s->n->cell].order[which];

        if (acquires)
                acquire(s, s->thread, (uint32_t)s->now[cell]);
        if (releases)
                s->set(s->arg, cell, joined(s->o, published(s), (uint32_t)s->now[cell]));
}

static void take(const struct step *s, bool shared)
{
        if (!(s->child->led & ORDERS_TOOK))
                return;
        meet(s, true, false, RELEASED);
        if (!shared)
                meet(s, true, false, RELEASED_SHARED);
}

/* It has ended, and is joined. */
static void join(const struct step *s, uint32_t thread)
{
        uint32_t end = (uint32_t)s->now[s->t->threads.at[thread]];

        acquire(s, s->thread, publish(s->o, s->t, s->now, thread, s->t->nodes.at[end].accesses));
}

static void fence(const struct step *s)
{
        if (s->child->led & WIRE_EV_ACQUIRE)
                acquire(s, s->thread, (uint32_t)s->now[cell_of(s->t, s->thread, SEEN)]);
        if (s->child->led & WIRE_EV_RELEASE)
                s->set(s->arg, cell_of(s->t, s->thread, FENCE), published(s));
}

static void barrier(const struct step *s)
{
        uint32_t round = OP_BARRIER_ROUND(s->now[s->n->cell]);

        if (s->n->op == OP_BARRIER_LEAVE)
                meet(s, true, false, (round - 1) & 1);
        else if (s->child->result == OBJECT_DONE)
                meet(s, false, true, round & 1);
}

static void step_own(const struct step *s)
{
        switch (s->n->op) {
        case OP_CREATE: acquire(s, (uint32_t)s->t->cells.at[s->n->cell].key, published(s)); return;
        case OP_JOIN: join(s, (uint32_t)s->t->cells.at[s->n->cell].key); return;
        case OP_FENCE: fence(s); return;
        case OP_ONCE_END: meet(s, false, true, RELEASED); return;
        default: return;
        }
}

/* Does a load get the byte from a delayed store of its own thread? */
static bool is_forwarded(const struct step *s, uint32_t byte)
{
        return s->n->serial &&
               (buffers_covers(s->t, s->now, (uint32_t)(s->n - s->t->nodes.at), s->n->cell) >> 8 * byte & 0xff);
}

/* What an atomic store releases. */
static uint32_t released(const struct step *s)
{
        if (s->child->led & (WIRE_EV_SECTION | WIRE_EV_RELEASE))
                return published(s);
        return s->child->led & WIRE_EV_ATOMIC ? (uint32_t)s->now[cell_of(s->t, s->thread, FENCE)] : 0;
}

static void see(const struct step *s, uint32_t clock)
{
        uint32_t seen = cell_of(s->t, s->thread, SEEN);

        if (s->child->led & (WIRE_EV_SECTION | WIRE_EV_ACQUIRE))
                acquire(s, s->thread, clock);
        else
                s->set(s->arg, seen, joined(s->o, (uint32_t)s->now[seen], clock));
}

static void memory(const struct step *s)
{
        bool section = s->child->led & WIRE_EV_SECTION, atomic = section || (s->child->led & WIRE_EV_ATOMIC);
        bool writes = s->n->kind == NODE_WRITE || (s->n->kind == NODE_UPDATE && (s->child->flags & NODE_WROTE));
        bool reads = s->n->kind != NODE_WRITE || section;
        uint32_t first = s->t->cells.at[s->n->cell].order[0], next;

        if (s->n->flags & NODE_BUFFERED) {
                s->set(s->arg, s->n->root, released(s));
                return;
        }
        for (uint32_t i = 0; i < 8 && atomic && reads; i++)
                if ((s->n->mask >> 8 * i & 0xff) && s->now[first + i] && !is_forwarded(s, i))
                        see(s, (uint32_t)s->now[first + i]);
        if (!writes)
                return;
        next = released(s);
        for (uint32_t i = 0; i < 8; i++)
                if (s->n->mask >> 8 * i & 0xff)
                        s->set(s->arg, first + i,
                               atomic && reads ? joined(s->o, next, (uint32_t)s->now[first + i]) : next);
}

void orders_flush(struct orders *o, const struct tries *t, const uint64_t *now, const struct node *store,
                  waiters_set *set, void *arg)
{
        uint32_t first = t->cells.at[store->cell].order[0];

        if (store->kind == NODE_OBJECT)
                set(arg, first, joined(o, (uint32_t)now[first], (uint32_t)now[store->root]));
        for (uint32_t i = 0; i < 8 && store->kind != NODE_OBJECT; i++)
                if (store->mask >> 8 * i & 0xff)
                        set(arg, first + i, now[store->root]);
        set(arg, store->root, 0);
}

uint64_t orders_read(const struct tries *t, const uint64_t *now, const struct node *n)
{
        uint32_t first = t->cells.at[n->cell].order[0];
        uint64_t all = 0;

        for (uint32_t i = 0; i < 8; i++)
                all = n->mask >> 8 * i & 0xff ? hash_mix(all, now[first + i]) : all;
        return all;
}

void orders_do(struct orders *o, const struct tries *t, const uint64_t *now, const struct node *n,
               const struct node *child, uint32_t thread, waiters_set *set, void *arg)
{
        struct step s = {o, t, now, n, child, thread, set, arg};

        if (n->op == OP_OBSERVE)
                return;
        if (n->kind == NODE_READ || n->kind == NODE_WRITE || n->kind == NODE_UPDATE || n->op == OP_FUTEX_WAIT) {
                memory(&s);
                return;
        }
        if (n->flags & NODE_BUFFERED) { /* a spinlock is released */
                set(arg, n->root, published(&s));
                return;
        }
        if (n->kind == NODE_TRY) {
                if (child->result)
                        join(&s, (uint32_t)t->cells.at[n->cell].key);
                return;
        }
        if (op_object(n->op) == OP_OBJ_BARRIER && n->kind == NODE_WAIT) {
                barrier(&s);
                return;
        }
        if (n->kind == NODE_ORDERED && effect_is_locked(n->obj)) {
                meet(&s, true, child->led & ORDERS_CHANGES, RELEASED);
                return;
        }
        switch (op_order(n->op)) {
        case OP_NO_ORDER: return;
        case OP_ACQUIRES: meet(&s, true, false, RELEASED); return;
        case OP_ACQUIRES_TAKEN: meet(&s, child->led & ORDERS_TOOK, false, RELEASED); return;
        case OP_RELEASES: meet(&s, false, true, RELEASED); return;
        case OP_MEETS: meet(&s, true, child->led & ORDERS_CHANGES, RELEASED); return;
        case OP_TAKES: take(&s, false); return;
        case OP_TAKES_SHARED: take(&s, true); return;
        case OP_GIVES: meet(&s, false, true, child->led & ORDERS_SHARED ? RELEASED_SHARED : RELEASED); return;
        case OP_OWN_ORDER: step_own(&s); return;
        }
}

void orders_cancelled(struct orders *o, const struct tries *t, const uint64_t *now, uint32_t thread, waiters_set *set,
                      void *arg)
{
        struct step s = {o, t, now, NULL, NULL, thread, set, arg};
        uint32_t cell = t->cells.at[t->threads.at[thread]].cancel;

        acquire(&s, thread, (uint32_t)now[t->cells.at[cell].order[RELEASED]]);
}

void orders_wake(struct orders *o, const struct tries *t, const uint64_t *now, const struct node *child,
                 uint32_t thread, uint32_t woken, waiters_set *set, void *arg)
{
        struct step s = {o, t, now, NULL, child, thread, set, arg};

        acquire(&s, woken, published(&s));
}
