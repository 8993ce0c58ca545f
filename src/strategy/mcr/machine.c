/* See machine.h. */
#include "strategy/mcr/machine.h"

#include "base/hash.h"
#include "op/op.h"
#include "strategy/mcr/buffers.h"
#include "strategy/mcr/clocked.h"
#include "strategy/mcr/objects.h"
#include "strategy/mcr/wait/cancels.h"
#include "strategy/mcr/wait/queues.h"
#include "strategy/mcr/users.h"
#include "strategy/mcr/wait/waiters.h"
#include "strategy/mcr/wait/waits.h"

void machine_init(struct machine *m)
{
        *m = (struct machine){.hash = {0, 0}};
        tries_init(&m->tries);
        machine_grow(m);
}

void machine_fini(struct machine *m)
{
        tries_fini(&m->tries);
        vec_fini(&m->now);
        vec_fini(&m->changes);
        vec_fini(&m->path);
        vec_fini(&m->open.cells);
        vec_fini(&m->performed);
        orders_fini(&m->orders);
}

void machine_grow(struct machine *m)
{
        if (!vec_reserve(&m->now, m->tries.cells.n))
                memory_out();
        for (; m->now.n < m->tries.cells.n; m->now.n++)
                m->now.at[m->now.n] = m->tries.cells.at[m->now.n].init;
}

void machine_limit(struct machine *m, uint32_t depth)
{
        m->depth = depth;
        m->spent = depth ? tries_cell_make(&m->tries, CELL_SPENT, 0, 0) : 0;
        machine_grow(m);
}

bool machine_is_deep(const struct machine *m)
{
        return m->depth && m->now.at[m->spent] >= m->depth;
}

bool machine_is_too_deep(const struct machine *m)
{
        return m->depth && m->now.at[m->spent] > m->depth;
}

/* What a cell with this value adds to a hash. */
static struct hash128 part(uint32_t cell, uint64_t value)
{
        uint64_t a = hash_draw(value ^ hash_draw(cell)), b = hash_draw(a ^ value * HASH_GOLDEN ^ cell);

        return (struct hash128){a, b};
}

struct hash128 machine_class(const struct tries *t, const uint64_t *now)
{
        struct hash128 class = {0, 0};
        bool ended = t->nodes.at[now[t->threads.at[0]]].kind == NODE_END;

        for (uint32_t i = 1; i < t->cells.n; i++) {
                const struct cell *c = &t->cells.at[i];
                bool waits = c->kind == CELL_WAIT && !waiters_over(t, now, (uint32_t)c->key);
                if (waits || (now[i] && (c->kind == CELL_THREAD || (c->final && ended)))) {
                        struct hash128 h = part(i, waits ? 1 : now[i]);
                        class.a ^= h.a;
                        class.b ^= h.b;
                }
        }
        return class;
}

/* Arenas of the heap have addresses that nothing else has (rt/memory/heap.c). */
static bool is_heap(uint64_t value)
{
        return value >> 44 >= 1 && value >> 44 < 4;
}

/* Can a check at the end tell what is in the cell? */
static bool ends_with(const struct cell *c, uint64_t value, enum machine_end end)
{
        if (end == MACHINE_END_POINTERS)
                return c->kind == CELL_MEMORY && is_heap(value);
        return (c->kind == CELL_MEMORY || c->kind == CELL_OBJECT || c->kind == CELL_ORDERED) && value != c->init;
}

struct hash128 machine_class_end(const struct tries *t, const uint64_t *now, enum machine_end end)
{
        struct hash128 class = machine_class(t, now);

        for (uint32_t i = 1; i < t->cells.n; i++) {
                if (ends_with(&t->cells.at[i], now[i], end)) {
                        struct hash128 h = part(i, ~now[i]);
                        class.a ^= h.a;
                        class.b ^= h.b;
                }
        }
        class.b ^= HASH_GOLDEN; /* not a class */
        return class;
}

/* A cell gets another value.  Its first value adds nothing. */
static void set(struct machine *m, uint32_t cell, uint64_t value)
{
        uint64_t was = m->now.at[cell], init = m->tries.cells.at[cell].init;
        struct hash128 h;

        if (was == value)
                return;
        if (!vec_reserve(&m->changes, 1))
                memory_out();
        *vec_push(&m->changes) = (struct machine_change){was, cell};
        if (was != init) {
                h = part(cell, was);
                m->hash.a ^= h.a;
                m->hash.b ^= h.b;
        }
        if (value != init) {
                h = part(cell, value);
                m->hash.a ^= h.a;
                m->hash.b ^= h.b;
        }
        m->now.at[cell] = value;
}

/* The path has another entry. */
static void spend(struct machine *m)
{
        if (m->spent)
                set(m, m->spent, m->now.at[m->spent] + 1);
}

void machine_set(struct machine *m, uint32_t cell, uint64_t value)
{
        set(m, cell, value);
}

static void set_cell(void *m, uint32_t cell, uint64_t value)
{
        set(m, cell, value);
}

void machine_undo(struct machine *m, uint32_t changes, uint32_t path)
{
        while (m->changes.n > changes) {
                struct machine_change c = m->changes.at[m->changes.n - 1];
                set(m, c.cell, c.was);
                m->changes.n -= 2; /* the one that is undone, and the undoing */
        }
        m->path.n = path;
}

/* Has a thread ended, with all its stores in memory? */
static bool has_ended(const struct machine *m, uint32_t cell)
{
        return m->tries.nodes.at[m->now.at[cell]].kind == NODE_END &&
               !buffers_pending(&m->tries, m->now.at, (uint32_t)m->now.at[cell]);
}

bool machine_knows(struct machine *m, uint32_t thread)
{
        uint32_t at = machine_node(m, thread);
        const struct node *n = &m->tries.nodes.at[at];
        bool may;

        if (!at || cancels_now(&m->tries, m->now.at, at))
                return true;
        return n->kind == NODE_ORDERED ? ordered_decided(&m->tries, m->now.at, n, thread, &may)
                                       : n->kind != NODE_UNKNOWN || waits_sleeps(&m->tries, m->now.at, at);
}

bool machine_enabled(struct machine *m, uint32_t thread)
{
        uint32_t at = machine_node(m, thread);

        if ((m->tries.nodes.at[at].flags & NODE_DRAINS) && buffers_pending(&m->tries, m->now.at, at))
                return false;
        return machine_enabled_drained(m, thread);
}

bool machine_enabled_drained(struct machine *m, uint32_t thread)
{
        uint32_t at = machine_node(m, thread);
        const struct node *n = &m->tries.nodes.at[at];
        bool may;

        if (n->op != OP_COND_TIMEOUT && waits_sleeps(&m->tries, m->now.at, at))
                return false;
        if (!cancels_late(n) && cancels_now(&m->tries, m->now.at, at))
                return true;
        switch ((enum node_kind)n->kind) {
        case NODE_UNKNOWN:
        case NODE_END:
        case NODE_STOP:
        case NODE_CUT: return false;
        case NODE_OBJECT: return op_enabled(n->op, m->now.at[n->cell], thread);
        case NODE_WAIT: return waits_enabled(&m->tries, m->now.at, n, thread);
        case NODE_JOIN: return has_ended(m, n->cell);
        case NODE_ORDERED: return ordered_decided(&m->tries, m->now.at, n, thread, &may) && may;
        case NODE_USER: return users_enabled(m->now.at, n, thread);
        case NODE_EXIT: return !m->now.at[m->tries.process];
        default: return at != 0;
        }
}

uint64_t machine_liveness(const struct machine *m, uint32_t cell)
{
        uint32_t block = m->tries.cells.at[cell].block;

        return block && m->now.at[block] ? MACHINE_DEAD : 0;
}

static void store(struct machine *m, uint32_t cell, uint64_t mask, uint64_t value)
{
        set(m, cell, (m->now.at[cell] & ~mask) | value);
}

static uint64_t view(const struct machine *m, uint32_t at, uint32_t cell)
{
        return m->tries.nodes.at[at].serial ? buffers_view(&m->tries, m->now.at, at, cell) : m->now.at[cell];
}

/* The node of the thread whose buffer it is. */
static uint32_t owner_node(const struct machine *m, uint32_t buffer)
{
        return machine_node(m, (uint32_t)m->tries.cells.at[buffer].size);
}

bool machine_may_flush(const struct machine *m, uint32_t buffer)
{
        return buffers_next(&m->tries, m->now.at, owner_node(m, buffer), buffer, true) != 0;
}

void machine_flush(struct machine *m, uint32_t buffer)
{
        const struct cell *c = &m->tries.cells.at[buffer];
        uint32_t s = buffers_next(&m->tries, m->now.at, owner_node(m, buffer), buffer, true);
        const struct node *n = &m->tries.nodes.at[s];

        if (!vec_reserve(&m->path, 1))
                memory_out();
        *vec_push(&m->path) = (struct wire_decision){
                .actor = (uint16_t)c->key, .op = n->kind == NODE_OBJECT ? n->op : OP_FLUSH, .choice = WIRE_NO_CHOICE};
        if (!(n->flags & NODE_IGNORED))
                store(m, n->cell, n->mask, n->value);
        if (m->tries.orders)
                orders_flush(&m->orders, &m->tries, m->now.at, n, set_cell, m);
        spend(m);
        set(m, c->flushed, m->now.at[c->flushed] + 1);
        set(m, buffer, m->now.at[buffer] + 1);
}

static enum machine_answer settle(struct machine *m, uint32_t thread);

static enum machine_answer unseen(struct machine *m, uint64_t result)
{
        m->unseen = result;
        return MACHINE_UNSEEN;
}

/* A wait with a deadline that was ended by a signal, or by itself: the thread can tell. */
static enum machine_answer woken(struct machine *m, uint32_t thread)
{
        uint32_t at = machine_node(m, thread), child;
        uint64_t result;

        if (m->tries.nodes.at[at].op != OP_COND_TIMEOUT || !waiters_over(&m->tries, m->now.at, thread))
                return MACHINE_DONE;
        result = OBJECT_DONE ^ clocked_result(&m->tries, m->now.at, at, OBJECT_DONE);
        child = tries_child(&m->tries, at, result);
        if (!child)
                return unseen(m, result);
        set(m, m->tries.threads.at[thread], child);
        return MACHINE_DONE;
}

/* The thread was asked to end, and does so at its point. */
static enum machine_answer cancelled(struct machine *m, uint32_t thread)
{
        uint32_t child = tries_child(&m->tries, machine_node(m, thread), TRIES_CANCELLED);

        if (!child)
                return unseen(m, TRIES_CANCELLED);
        if (m->tries.orders)
                orders_cancelled(&m->orders, &m->tries, m->now.at, thread, set_cell, m);
        spend(m);
        set(m, m->tries.threads.at[thread], child);
        return MACHINE_DONE;
}

static enum machine_answer woken_all(struct machine *m)
{
        for (uint32_t i = 0; i < m->tries.threads.n; i++)
                if (woken(m, i) == MACHINE_UNSEEN)
                        return MACHINE_UNSEEN;
        return MACHINE_DONE;
}

/* Clocks, before the effects of an operation. */
static void order(struct machine *m, uint32_t thread, uint32_t at, uint32_t child)
{
        const struct node *n = &m->tries.nodes.at[at];

        if (!m->tries.orders)
                return;
        if (orders_counts(&m->tries, n)) {
                vec_need(&m->performed, 1);
                *vec_push(&m->performed) =
                        (struct machine_access){thread, at, child, orders_now(&m->tries, m->now.at, thread)};
        }
        orders_do(&m->orders, &m->tries, m->now.at, n, &m->tries.nodes.at[child], thread, set_cell, m);
}

/* The wait of a thread is over, or changed, by the operation that led another one to the child. */
struct wakes {
        struct machine *m;
        uint32_t child, thread;
};

static void set_waiting(void *arg, uint32_t cell, uint64_t value)
{
        struct wakes *w = arg;
        struct machine *m = w->m;
        const struct cell *c = &m->tries.cells.at[cell];
        bool waited =
                c->kind == CELL_WAIT && c->key != w->thread && !waiters_over(&m->tries, m->now.at, (uint32_t)c->key);

        set(m, cell, value);
        if (!waited || !waiters_over(&m->tries, m->now.at, (uint32_t)c->key))
                return;
        if (op_object(m->tries.nodes.at[m->tries.nodes.at[w->child].parent].op) == OP_OBJ_COND &&
            !cancels_asked(&m->tries, m->now.at, (uint32_t)c->key))
                spend(m); /* an entry says so */
        if (m->tries.orders)
                orders_wake(&m->orders, &m->tries, m->now.at, &m->tries.nodes.at[w->child], w->thread, (uint32_t)c->key,
                            set_cell, m);
}

/* The next operation of a thread, which may run. */
static enum machine_answer perform(struct machine *m, uint32_t thread, uint32_t choice)
{
        struct tries *t = &m->tries;
        uint32_t at = machine_node(m, thread), cell = t->nodes.at[at].cell, child;
        const struct node *n = &t->nodes.at[at];
        struct object_effect effect = {0, 0};
        uint64_t result = 0;

        if (!cancels_late(n) && cancels_now(t, m->now.at, at))
                return cancelled(m, thread);
        waits_leave(t, m->now.at, at, set_cell, m);
        switch ((enum node_kind)n->kind) {
        case NODE_READ:
        case NODE_UPDATE:
                result = (n->flags & NODE_IGNORED ? 0 : view(m, at, cell) & n->mask) ^ machine_liveness(m, cell);
                break;
        case NODE_WRITE: result = machine_liveness(m, cell); break;
        case NODE_OBJECT:
                effect = object_do(n->op, m->now.at[cell], thread, n->value);
                result = effect.result ^ machine_liveness(m, cell) ^ clocked_result(t, m->now.at, at, effect.result);
                break;
        case NODE_WAIT:
                result = waits_result(t, m->now.at, n, thread);
                result ^= machine_liveness(m, cell) ^ clocked_result(t, m->now.at, at, result);
                break;
        case NODE_FREE:
        case NODE_JOIN: result = m->now.at[cell]; break;
        case NODE_TRY: result = has_ended(m, cell) ? m->now.at[cell] : 0; break;
        case NODE_CHOOSE: result = choice; break;
        case NODE_ORDERED: result = ordered_result(n, m->now.at); break;
        case NODE_USER: result = users_result(m->now.at, n, thread); break;
        default: break;
        }
        result = cancels_result(t, m->now.at, at, result);
        child = n->kind == NODE_LOCAL ? n->child : tries_child(t, queues_from(t, at), result);
        if (m->usual && (n->flags & NODE_LOOSE) && thread != m->keeps && m->usual[at])
                child = m->usual[at];
        if (!child)
                return unseen(m, result);
        order(m, thread, at, child);
        if (m->tries.orders && cancels_now(t, m->now.at, at))
                orders_cancelled(&m->orders, t, m->now.at, thread, set_cell, m);
        if (!(n->flags & NODE_WORD))
                spend(m);
        set(m, t->threads.at[thread], child);
        ordered_do(&m->open, t, m->now.at, n, child, thread, set_cell, m);
        clocked_do(t, m->now.at, n, child, choice, set_cell, m);
        switch ((enum node_kind)n->kind) {
        case NODE_WRITE:
                if (!(n->flags & (NODE_BUFFERED | NODE_IGNORED)))
                        store(m, cell, n->mask, n->value);
                break;
        case NODE_UPDATE:
                if (t->nodes.at[child].flags & NODE_WROTE)
                        store(m, cell, n->mask, t->nodes.at[child].wrote);
                break;
        case NODE_OBJECT:
                if (!(n->flags & NODE_BUFFERED))
                        set(m, cell, effect.after);
                if (n->op == OP_MUTEX_RELOCK && t->cancels) {
                        cancels_leave(t, m->now.at, at, choice, set_waiting, &(struct wakes){m, child, thread});
                        return woken_all(m);
                }
                return n->op == OP_MUTEX_UNLOCK ? woken(m, thread) : MACHINE_DONE;
        case NODE_WAIT:
                waits_do(t, m->now.at, n, &t->nodes.at[child], thread, choice, set_waiting,
                         &(struct wakes){m, child, thread});
                return n->op == OP_COND_SIGNAL || n->op == OP_COND_BROADCAST ? woken_all(m) : MACHINE_DONE;
        case NODE_USER: users_do(m->now.at, n, thread, set_cell, m); break;
        case NODE_FREE: set(m, cell, 1); break;
        case NODE_EXIT: set(m, t->process, 1); break;
        case NODE_CANCEL: set(m, cell, 1); break;
        case NODE_CREATE: set(m, cell, n->root); return settle(m, t->cells.at[cell].key);
        default: break;
        }
        return MACHINE_DONE;
}

/* What follows without a decision: operations that are not points, joins that need not wait. */
static enum machine_answer settle(struct machine *m, uint32_t thread)
{
        for (;;) {
                const struct node *n = &m->tries.nodes.at[machine_node(m, thread)];
                bool follows = n->kind == NODE_JOIN && !(n->flags & NODE_CANCELS)
                                       ? machine_enabled(m, thread)
                                       : n->kind > NODE_CUT && !(n->flags & NODE_POINT);

                if (!follows)
                        return MACHINE_DONE;
                if (!machine_enabled(m,
                                     thread)) /* it waits within a transition: an execution shows what comes of that */
                        return unseen(m, MACHINE_WAITS);
                if (perform(m, thread, 0) == MACHINE_UNSEEN)
                        return MACHINE_UNSEEN;
        }
}

enum machine_answer machine_begin(struct machine *m)
{
        return settle(m, 0);
}

/* Does the thread end, or take its mutex to do so, without what the operation would choose otherwise? */
static bool has_choices(const struct machine *m, uint32_t at)
{
        const struct node *n = &m->tries.nodes.at[at];

        return n->kind == NODE_WAIT && (cancels_late(n) || !cancels_now(&m->tries, m->now.at, at));
}

uint32_t machine_choices(const struct machine *m, uint32_t thread)
{
        uint32_t at = machine_node(m, thread);
        const struct node *n = &m->tries.nodes.at[at];

        return n->kind == NODE_CHOOSE ? (uint32_t)n->value
               : has_choices(m, at)   ? waits_choices(&m->tries, m->now.at, n, thread)
                                      : cancels_choices(&m->tries, m->now.at, at);
}

static void plan(struct machine *m, uint32_t thread, uint32_t choice)
{
        const struct node *n = &m->tries.nodes.at[machine_node(m, thread)];

        if (!vec_reserve(&m->path, 1))
                memory_out();
        *vec_push(&m->path) =
                (struct wire_decision){.actor = (uint16_t)thread, .op = n->op, .choice = choice, .obj = n->obj};
}

void machine_plan(struct machine *m, uint32_t thread)
{
        plan(m, thread, WIRE_NO_CHOICE);
}

enum machine_answer machine_step(struct machine *m, uint32_t thread, uint32_t k)
{
        uint32_t at = machine_node(m, thread);
        const struct node *n = &m->tries.nodes.at[at];
        uint32_t choice = n->kind == NODE_CHOOSE ? k
                          : has_choices(m, at)   ? waits_choice(&m->tries, m->now.at, n, thread, k)
                                                 : cancels_choice(&m->tries, m->now.at, at, k);

        m->open.cells.n = m->performed.n = 0;
        plan(m, thread, choice);
        if (perform(m, thread, choice) == MACHINE_UNSEEN)
                return MACHINE_UNSEEN;
        return settle(m, thread);
}
