/*
 * See learn.h.  The entries of an execution are compared with what the machine would do: reads return what was written
 * last, objects are in the state that the last operation left, a thread with the same history does the same.  Where that does
 * not hold, the program does something that is not modelled, and the search is left to another strategy.
 */
#include "strategy/mcr/learn.h"

#include "base/deadline.h"
#include "op/op.h"
#include "strategy/mcr/objects.h"

#define WORD_MASK(size) ((size) >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * (size)) - 1)

/* An entry, understood: the operation, and what came of it. */
struct event {
        struct node node;
        uint64_t result, wrote;
        bool writes; /* an update that has written */
};

void learner_fini(struct learner *l)
{
        vec_fini(&l->now);
        vec_fini(&l->setter);
        vec_fini(&l->at);
        vec_fini(&l->failed);
}

static bool unmodelled(struct learner *l, const char *reason)
{
        l->reason = reason;
        return false;
}

static void grow(struct learner *l, const struct tries *t)
{
        if (!vec_reserve(&l->now, t->cells.n) || !vec_reserve(&l->setter, t->cells.n))
                memory_out();
        for (; l->now.n < t->cells.n; l->now.n++) {
                l->now.at[l->now.n] = t->cells.at[l->now.n].init;
                *vec_push(&l->setter) = 0;
        }
}

static void start(struct learner *l, const struct tries *t, uint32_t n_threads)
{
        l->now.n = l->setter.n = l->at.n = 0;
        l->reason = NULL;
        grow(l, t);
        if (!vec_reserve(&l->at, n_threads + 1))
                memory_out();
        for (uint32_t i = 0; i <= n_threads; i++)
                *vec_push(&l->at) = i ? 0 : TRIES_MAIN;
}

/* How much memory an object takes. */
static uint64_t extent(uint32_t op)
{
        static const uint8_t bytes[OP_OBJ_KINDS] = {
                [OP_OBJ_MUTEX] = 40,   [OP_OBJ_COND] = 48,   [OP_OBJ_SEM] = 32,     [OP_OBJ_ONCE] = 4,
                [OP_OBJ_SPINLOCK] = 4, [OP_OBJ_RWLOCK] = 56, [OP_OBJ_BARRIER] = 32,
        };

        return op_object(op) < OP_OBJ_KINDS ? bytes[op_object(op)] : 8;
}

/* Do bytes of the memory cell belong to the object? */
static bool belongs(const struct cell *memory, const struct cell *object)
{
        for (uint32_t i = 0; i < 8; i++)
                if ((memory->size >> 8 * i & 1) && (memory->key << 3) + i - object->key < object->size)
                        return true;
        return false;
}

/* Is the memory of an object accessed?  Asked whenever more of a cell is known. */
static bool overlaps(const struct tries *t, uint32_t cell)
{
        const struct cell *c = &t->cells.at[cell];

        for (uint32_t i = 1; i < t->cells.n; i++) {
                const struct cell *o = &t->cells.at[i];
                if ((c->kind == CELL_MEMORY && o->kind == CELL_OBJECT && belongs(c, o)) ||
                    (c->kind == CELL_OBJECT && o->kind == CELL_MEMORY && belongs(o, c)))
                        return true;
        }
        return false;
}

/* These bytes of a memory cell, or of the room of an object, are used. */
static bool uses(struct learner *l, struct tries *t, uint32_t cell, uint64_t bytes)
{
        struct cell *c = &t->cells.at[cell];

        if ((c->size | bytes) == c->size)
                return true;
        c->size |= bytes;
        return !overlaps(t, cell) || unmodelled(l, "memory of a synchronisation object that is accessed");
}

static uint64_t liveness(const struct learner *l, const struct tries *t, uint32_t cell)
{
        uint32_t block = t->cells.at[cell].block;

        return block && l->now.at[block] ? MACHINE_DEAD : 0;
}

static void note_order(struct learner *l, const struct wire_event *e)
{
        bool loads = e->op != OP_STORE, stores = e->op != OP_LOAD && e->mode == WIRE_MODE_WRITE;

        if (!op_has(e->op, OPF_ATOMIC))
                l->plain |= e->op != OP_OBSERVE;
        else if ((loads && !(e->flags & WIRE_EV_ACQUIRE)) || (stores && !(e->flags & WIRE_EV_RELEASE)))
                l->relaxed = true;
}

static bool memory_event(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before,
                         struct event *out)
{
        uint32_t shift = 8 * (e->obj & 7);
        uint64_t mask = WORD_MASK(e->size) << shift;
        struct node *n = &out->node;

        if (!e->size || (e->obj & 7) + e->size > 8)
                return unmodelled(l, "accesses of more than 8 bytes");
        n->cell = tries_cell_make(t, CELL_MEMORY, e->obj >> 3, before);
        grow(l, t);
        if (l->observes && tries_cell(t, CELL_OBSERVED, e->obj >> 3))
                return unmodelled(l, "variables that are observed before they are shared");
        if (!uses(l, t, n->cell, mask))
                return false;
        n->mask = mask;
        n->kind = e->op == OP_WRITE || e->op == OP_STORE ? NODE_WRITE
                  : e->op == OP_RMW || e->op == OP_CAS   ? NODE_UPDATE
                                                         : NODE_READ;
        if (op_has(e->op, OPF_PLAIN) && !(e->flags & WIRE_EV_SECTION))
                n->flags |= NODE_PLAIN;
        note_order(l, e);
        if (n->kind == NODE_WRITE)
                n->value = e->value << shift & mask;
        else if ((l->now.at[n->cell] & mask) != (before & mask))
                return unmodelled(l, "memory that changes without a visible write");
        out->result = (n->kind == NODE_WRITE ? 0 : before & mask) ^ liveness(l, t, n->cell);
        out->writes = n->kind == NODE_UPDATE && e->mode == WIRE_MODE_WRITE;
        out->wrote = out->writes ? e->value << shift & mask : 0;
        return true;
}

/* --observe: memory that no entry touches is a matter of the thread and of those that it has joined. */
static bool observe_event(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before,
                          struct event *out)
{
        if (tries_cell(t, CELL_MEMORY, e->obj >> 3))
                return memory_event(l, t, e, before, out);
        tries_cell_make(t, CELL_OBSERVED, e->obj >> 3, 0);
        grow(l, t);
        out->node.kind = NODE_LOCAL;
        out->result = e->value;
        return true;
}

/* The memory of an execution that is shared, before anything is observed. */
static void find_memory(struct tries *t, const struct trace *trace, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++) {
                const struct wire_event *e = &trace->events[i];
                if (op_object(e->op) == OP_OBJ_MEMORY && e->op != OP_OBSERVE && e->op != OP_FREE)
                        tries_cell_make(t, CELL_MEMORY, e->obj >> 3, trace->before[i]);
        }
}

static bool object_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        struct node *n = &out->node;
        uint32_t cell = tries_cell_make(t, CELL_OBJECT, e->obj, e->value);

        grow(l, t);
        if (!object_known(e->op) || !object_usual(e->op, e->value))
                return unmodelled(l, op_name(e->op));
        if (!uses(l, t, cell, extent(e->op)))
                return false;
        n->kind = NODE_OBJECT;
        n->cell = cell;
        if (l->setter.at[cell]) { /* now it is known what that one has left */
                struct node *s = &t->nodes.at[l->setter.at[cell]];
                l->setter.at[cell] = 0;
                if (s->mask && s->value != e->value)
                        return unmodelled(l, op_name(s->op));
                s->value = l->now.at[cell] = e->value;
                s->mask = 1;
        }
        if (l->now.at[cell] != e->value)
                return unmodelled(l, op_name(e->op));
        return true;
}

static bool thread_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        uint32_t peer = e->choice;

        if (peer + 1 >= l->at.n || (e->flags & WIRE_EV_FAILED))
                return unmodelled(l, op_name(e->op));
        out->node.cell = tries_thread(t, peer);
        grow(l, t);
        out->node.kind = e->op == OP_CREATE ? NODE_CREATE : NODE_JOIN;
        out->result = e->op == OP_JOIN ? l->at.at[peer] : 0;
        return true;
}

static bool free_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        uint32_t cell = tries_block(t, e->obj, e->size);

        grow(l, t);
        if (t->cells.at[cell].size != e->size)
                return unmodelled(l, "blocks of the heap that are used again");
        out->node.kind = NODE_FREE;
        out->node.flags |= NODE_PLAIN;
        out->node.cell = cell;
        out->result = l->now.at[cell];
        return true;
}

/* What an entry says; false: it is not modelled. */
static bool understand(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before,
                       struct event *out)
{
        *out = (struct event){.node = {.op = e->op, .obj = e->obj, .site = e->site}};
        if (e->flags & WIRE_EV_SCHED)
                out->node.flags = NODE_POINT;
        if (e->flags & (WIRE_EV_FORCED | WIRE_EV_LAST))
                return unmodelled(l, op_name(e->op));
        switch (e->op) {
        case OP_READ:
        case OP_WRITE:
        case OP_LOAD:
        case OP_STORE:
        case OP_RMW:
        case OP_CAS: return memory_event(l, t, e, before, out);
        case OP_OBSERVE: return observe_event(l, t, e, before, out);
        case OP_FREE: return free_event(l, t, e, out);
        case OP_CREATE:
        case OP_JOIN: return thread_event(l, t, e, out);
        case OP_EXIT: out->node.kind = NODE_EXIT; return true;
        case OP_FENCE:
        case OP_PREEMPT: out->node.kind = NODE_LOCAL; return true;
        case OP_CHOOSE:
                out->node.kind = NODE_CHOOSE;
                out->node.value = e->value;
                out->result = e->choice;
                return true;
        default: return object_event(l, t, e, out);
        }
}

static bool same(const struct node *a, const struct node *b)
{
        bool value = (a->kind == NODE_WRITE && !((a->flags | b->flags) & NODE_GUESS)) || a->kind == NODE_CHOOSE;

        return a->kind == b->kind && a->op == b->op && a->obj == b->obj && a->cell == b->cell &&
               (a->kind == NODE_JOIN || ((a->flags ^ b->flags) & NODE_POINT) == 0) &&
               (!value || (a->value == b->value && a->mask == b->mask));
}

/* The node's operation is this one. */
static bool node_is(struct learner *l, struct tries *t, uint32_t at, const struct node *is)
{
        struct node *n = &t->nodes.at[at];

        if (n->kind != NODE_UNKNOWN) {
                if (!same(n, is))
                        return unmodelled(l, "a thread that does something else after the same values");
                if ((n->flags & NODE_GUESS) && !(is->flags & NODE_GUESS)) {
                        n->flags &= (uint8_t)~NODE_GUESS;
                        n->value = is->value;
                }
                return true;
        }
        n->kind = is->kind;
        n->op = is->op;
        n->flags |= is->flags;
        n->obj = is->obj;
        n->site = is->site;
        n->cell = is->cell;
        n->mask = is->mask;
        n->value = is->value;
        return true;
}

static void apply(struct learner *l, struct tries *t, const struct event *ev, uint32_t at, uint32_t child)
{
        const struct node *n = &t->nodes.at[at];
        uint64_t *cell = &l->now.at[n->cell];

        if (n->kind == NODE_WRITE)
                *cell = (*cell & ~n->mask) | n->value;
        else if (ev->writes)
                *cell = (*cell & ~n->mask) | ev->wrote;
        else if (n->kind == NODE_FREE)
                *cell = 1;
        if (ev->writes) {
                t->nodes.at[child].flags |= NODE_WROTE;
                t->nodes.at[child].wrote = ev->wrote;
        }
}

/* The last entries of threads that failed. */
static void find_failed(struct learner *l, const struct trace *trace, uint32_t n_threads)
{
        l->failed.n = 0;
        if (!vec_reserve(&l->failed, n_threads + 1))
                memory_out();
        for (uint32_t i = 0; i <= n_threads; i++)
                *vec_push(&l->failed) = 0;
        for (uint32_t i = 0; i < trace->n_events && trace->n_failures; i++) {
                uint32_t actor = trace->events[i].actor;
                if (actor < n_threads && trace->threads[actor].state == WIRE_T_FAILED)
                        l->failed.at[actor] = i + 1;
        }
}

static bool entry(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];
        uint32_t at = e->actor < l->at.n ? l->at.at[e->actor] : 0, child;
        struct event ev;

        if (!at)
                return unmodelled(l, "a thread that was not created");
        if (!understand(l, t, e, trace->before[i], &ev))
                return false;
        if (ev.node.kind == NODE_WRITE && l->failed.at[e->actor] == i + 1)
                ev.node.flags |= NODE_GUESS;
        if (!node_is(l, t, at, &ev.node))
                return false;
        if (ev.node.kind == NODE_OBJECT) {
                struct object_effect f = object_do(e->op, e->value, e->actor, t->nodes.at[at].value);
                ev.result = f.result ^ liveness(l, t, ev.node.cell);
                l->now.at[ev.node.cell] = f.after;
                l->setter.at[ev.node.cell] = object_sets(e->op) ? at : 0;
        }
        if (ev.node.kind == NODE_CREATE) {
                if (!t->nodes.at[at].root) {
                        uint32_t root = tries_root(t, e->choice);
                        t->nodes.at[at].root = root;
                }
                l->at.at[e->choice] = t->nodes.at[at].root;
        }
        if (ev.node.kind == NODE_LOCAL && t->nodes.at[at].child &&
            t->nodes.at[t->nodes.at[at].child].result != ev.result)
                return unmodelled(l, "variables that are observed before they are shared");
        child = tries_child_make(t, at, ev.result);
        if (ev.node.kind == NODE_UPDATE && t->nodes.at[child].kind != NODE_UNKNOWN &&
            (!!(t->nodes.at[child].flags & NODE_WROTE) != ev.writes || t->nodes.at[child].wrote != ev.wrote))
                return unmodelled(l, "an update that writes something else after the same values");
        apply(l, t, &ev, at, child);
        l->at.at[e->actor] = child;
        return true;
}

/* Where a thread stopped. */
static bool stopped(struct learner *l, struct tries *t, uint32_t thread, const struct wire_thread *w)
{
        uint32_t at = l->at.at[thread];
        struct node is = {.op = (uint8_t)w->op, .obj = w->obj, .site = w->site, .flags = NODE_POINT};

        switch (w->state) {
        case WIRE_T_UNUSED: return true;
        case WIRE_T_DONE: is = (struct node){.kind = NODE_END}; break;
        case WIRE_T_FAILED:
        case WIRE_T_ASSUME:
        case WIRE_T_EXITED: is = (struct node){.kind = NODE_STOP}; break;
        case WIRE_T_READY:
        case WIRE_T_BLOCKED:
                if (w->op == OP_JOIN && w->obj - WIRE_OBJ_THREAD(0) < 8 * (uint64_t)(l->at.n - 1)) {
                        is.kind = NODE_JOIN;
                        is.cell = tries_thread(t, (uint32_t)((w->obj - WIRE_OBJ_THREAD(0)) / 8));
                } else if (w->op == OP_EXIT) {
                        is.kind = NODE_EXIT;
                } else if (object_known(w->op) && op_may_wait(w->op)) {
                        /* one that no operation has shown is held, or empty, from the beginning */
                        uint64_t held = w->holder == WIRE_NO_ACTOR ? 0 : w->holder + 1u;
                        is.kind = NODE_OBJECT;
                        is.cell = tries_cell_make(t, CELL_OBJECT, w->obj, held);
                        grow(l, t);
                        if (op_enabled(w->op, l->now.at[is.cell], thread))
                                return unmodelled(l, op_name(w->op));
                } else {
                        return w->state == WIRE_T_BLOCKED ? unmodelled(l, op_name(w->op)) : true;
                }
                break;
        default: return unmodelled(l, "threads that wait in loops");
        }
        return at && node_is(l, t, at, &is);
}

static void classify(struct learner *l, const struct tries *t, uint32_t n_threads)
{
        for (uint32_t i = 0; i < n_threads; i++)
                if (l->at.at[i])
                        l->now.at[t->threads.at[i]] = l->at.at[i];
        l->class = machine_class(t, l->now.at);
        l->heap = machine_class_heap(t, l->now.at);
}

/* Entries without those that stand for reads after the end of all threads (--observe). */
static uint32_t entries(struct tries *t, const struct trace *trace)
{
        uint32_t n = trace->n_events;

        while (n && trace->events[n - 1].op == OP_OBSERVE && trace->threads[0].state == WIRE_T_DONE) {
                uint32_t cell = tries_cell(t, CELL_MEMORY, trace->events[--n].obj >> 3);
                if (cell)
                        t->cells.at[cell].final = true;
        }
        return n;
}

bool learner_add(struct learner *l, struct tries *t, const struct trace *trace)
{
        uint32_t n = trace_threads(trace), n_entries = entries(t, trace);

        l->reason = NULL;
        if (!trace->before)
                return unmodelled(l, "executions without values");
        if (trace->clocks) /* they are joined where threads synchronise */
                return unmodelled(l, "clocks");
        if (l->observes)
                find_memory(t, trace, n_entries);
        start(l, t, n);
        find_failed(l, trace, n);
        for (uint32_t i = 0; i < n_entries; i++) {
                if (late_soon())
                        return true;
                if (!entry(l, t, trace, i))
                        return false;
        }
        for (uint32_t i = 0; i < n; i++)
                if (!stopped(l, t, i, &trace->threads[i]))
                        return false;
        grow(l, t);
        classify(l, t, n);
        return true;
}
