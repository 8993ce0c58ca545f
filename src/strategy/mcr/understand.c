/*
 * See understand.h.  Reads return what was written last, and objects are in the state that the last operation left: otherwise
 * the program does something that is not modelled.
 */
#include "strategy/mcr/understand.h"

#include "op/futex.h"
#include "op/op.h"
#include "strategy/mcr/buffers.h"
#include "strategy/mcr/clocked.h"
#include "strategy/mcr/objects.h"
#include "strategy/mcr/wait/cancels.h"
#include "strategy/mcr/wait/queues.h"
#include "strategy/mcr/wait/waiters.h"
#include "strategy/mcr/wait/waits.h"

#define WORD_MASK(size) ((size) >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * (size)) - 1)

bool learner_unmodelled(struct learner *l, const char *reason)
{
        l->reason = reason;
        return false;
}

void learner_grow(struct learner *l, const struct tries *t)
{
        if (!vec_reserve(&l->now, t->cells.n) || !vec_reserve(&l->setter, t->cells.n))
                memory_out();
        for (; l->now.n < t->cells.n; l->now.n++) {
                l->now.at[l->now.n] = t->cells.at[l->now.n].init;
                *vec_push(&l->setter) = 0;
        }
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
        return !overlaps(t, cell) || learner_unmodelled(l, "memory of a synchronisation object that is accessed");
}

uint64_t learner_liveness(const struct learner *l, const struct tries *t, uint32_t cell)
{
        uint32_t block = t->cells.at[cell].block;

        return block && l->now.at[block] ? MACHINE_DEAD : 0;
}

static void note_order(struct learner *l, struct tries *t, const struct wire_event *e, const struct node *n)
{
        bool loads = e->op != OP_STORE, stores = e->op != OP_LOAD && e->mode == WIRE_MODE_WRITE;
        struct cell *c = &t->cells.at[n->cell];

        if (n->flags & NODE_PLAIN) {
                t->recount |= !c->plain;
                c->plain = true;
        }
        if (e->flags & WIRE_EV_SECTION) /* it orders, but is not a point: what comes after it need not be next to it */
                l->relaxed = true;
        else if (!op_has(e->op, OPF_ATOMIC))
                l->plain |= e->op != OP_OBSERVE;
        else if ((loads && !(e->flags & WIRE_EV_ACQUIRE)) || (stores && !(e->flags & WIRE_EV_RELEASE)))
                l->relaxed = true;
}

/* Does nothing depend on what the access reads or writes?  The analysis is not believed where an execution shows the contrary. */
static bool ignore(struct learner *l, struct tries *t, const struct wire_event *e, struct node *n)
{
        const struct strategy *s = l->strategy;
        struct cell *c = &t->cells.at[n->cell];
        char what = n->kind == NODE_READ ? 'r' : n->kind == NODE_WRITE ? 'w' : 'u';

        if (s && s->irrelevant && e->op != OP_OBSERVE && s->irrelevant(s->sites, e, what)) {
                if (l->loose) {
                        n->flags |= n->kind == NODE_READ ? NODE_LOOSE : 0;
                        return true;
                }
                n->flags |= NODE_IGNORED;
                c->ignored |= n->kind == NODE_READ ? 0 : n->mask;
        } else {
                c->read |= n->kind == NODE_WRITE ? 0 : n->mask;
        }
        return !(c->ignored & c->read) ||
               learner_unmodelled(l, "a read of what --static takes for irrelevant, which is an error of heddle");
}

static bool memory_event(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before,
                         struct event *out)
{
        uint32_t shift = 8 * (e->obj & 7);
        uint64_t mask = WORD_MASK(e->size) << shift;
        struct node *n = &out->node;

        if (!e->size || (e->obj & 7) + e->size > 8)
                return learner_unmodelled(l, "accesses of more than 8 bytes");
        n->cell = tries_cell_make(t, CELL_MEMORY, e->obj >> 3, before);
        learner_grow(l, t);
        if (l->observes && tries_cell(t, CELL_OBSERVED, e->obj >> 3))
                return learner_unmodelled(l, "variables that are observed before they are shared");
        if (!uses(l, t, n->cell, mask))
                return false;
        t->inner |= !(e->flags & WIRE_EV_SCHED) && e->op != OP_OBSERVE;
        n->mask = mask;
        n->kind = e->op == OP_WRITE || e->op == OP_STORE                     ? NODE_WRITE
                  : e->op == OP_RMW || e->op == OP_CAS || e->op == OP_UPDATE ? NODE_UPDATE
                                                                             : NODE_READ;
        if (op_has(e->op, OPF_PLAIN) && !(e->flags & WIRE_EV_SECTION))
                n->flags |= NODE_PLAIN;
        note_order(l, t, e, n);
        if (!ignore(l, t, e, n))
                return false;
        bool ignored = n->flags & NODE_IGNORED;
        l->reads += n->kind != NODE_WRITE && !ignored;
        if (n->kind == NODE_WRITE)
                n->value = ignored ? 0 : e->value << shift & mask;
        else if (!ignored && (buffers_view(t, l->now.at, l->at.at[e->actor], n->cell) & mask) != (before & mask))
                return learner_unmodelled(l, "memory that changes without a visible write");
        if (e->weak & WIRE_WEAK_BUFFERED) {
                n->flags |= NODE_BUFFERED;
                n->buffer = buffers_cell(t, e->choice, e->actor);
                learner_grow(l, t);
        }
        out->result = (n->kind == NODE_WRITE || ignored ? 0 : before & mask) ^ learner_liveness(l, t, n->cell);
        out->writes = n->kind == NODE_UPDATE && e->mode == WIRE_MODE_WRITE && !ignored;
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
        learner_grow(l, t);
        out->node.kind = NODE_LOCAL;
        out->result = e->value;
        return true;
}

static bool object_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        struct node *n = &out->node;
        bool delayed = e->weak & WIRE_WEAK_BUFFERED; /* the entry has no state: the thread holds it */
        uint32_t cell = tries_cell_make(t, CELL_OBJECT, e->obj, delayed ? e->actor + 1u : e->value);

        learner_grow(l, t);
        l->looks |= (e->flags & WIRE_EV_FAILED) || (op_order(e->op) == OP_NO_ORDER && op_mode(e->op) == WIRE_MODE_READ);
        if (!(object_known(e->op) || waits_known(e->op)) || (delayed && e->op != OP_SPIN_UNLOCK))
                return learner_unmodelled(l, op_name(e->op));
        if (!uses(l, t, cell, extent(e->op)))
                return false;
        n->kind = waits_known(e->op) || queues_turn(t, &t->nodes.at[l->at.at[e->actor]]) ? NODE_WAIT : NODE_OBJECT;
        if (n->kind == NODE_WAIT)
                waiters_make(t, e->actor);
        learner_grow(l, t);
        n->cell = cell;
        if (t->clocked && (delayed || queues_enters(e->op) || queues_turn(t, &t->nodes.at[l->at.at[e->actor]])))
                return learner_unmodelled(l, "clocks beside queues of locks and delayed releases");
        clocked_cell(t, cell, e->op);
        learner_grow(l, t);
        if (e->op == OP_COND_WAIT)
                n->value = e->flags & WIRE_EV_TIMED;
        if (delayed) {
                n->flags |= NODE_BUFFERED;
                n->mask = ~UINT64_C(0);
                n->buffer = buffers_cell(t, e->choice, e->actor);
                learner_grow(l, t);
                return true;
        }
        if (l->setter.at[cell]) { /* now it is known what that one has left */
                struct node *s = &t->nodes.at[l->setter.at[cell]];
                l->setter.at[cell] = 0;
                if (s->mask && s->value != e->value)
                        return learner_unmodelled(l, op_name(s->op));
                s->value = l->now.at[cell] = e->value;
                s->mask = 1;
        }
        if (l->now.at[cell] != e->value)
                return learner_unmodelled(l, op_name(e->op));
        return true;
}

/* A barrier's entries are of parts of it: they stand for the whole.  Leaving it belongs to the arrival before. */
static bool barrier_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        struct wire_event whole = *e;
        const struct node *arrival = &t->nodes.at[t->nodes.at[l->at.at[e->actor]].parent];

        if (e->op == OP_BARRIER_WAIT)
                whole.obj -= 4 * (uint64_t)(OP_BARRIER_ROUND(e->value) & 1);
        else if (arrival->op != OP_BARRIER_WAIT)
                return learner_unmodelled(l, op_name(e->op));
        else
                whole.obj = arrival->obj;
        if (e->op == OP_BARRIER_LEAVE)
                whole.value = l->now.at[arrival->cell];
        out->node.obj = whole.obj;
        return object_event(l, t, &whole, out);
}

/* The mutex that a wait releases: all waits on one condition variable use the same. */
static bool unlock_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        const struct node *unlock = &t->nodes.at[l->at.at[e->actor]], *wait = &t->nodes.at[unlock->parent];
        uint32_t cond = wait->op == OP_COND_WAIT && unlock->result != TRIES_CANCELLED ? wait->cell : 0;

        if (!object_event(l, t, e, out))
                return false;
        if (cond && !(e->flags & WIRE_EV_SCHED)) {
                if (t->cells.at[cond].wait && t->cells.at[cond].wait != out->node.cell)
                        return learner_unmodelled(l, "condition variables with several mutexes");
                t->cells.at[cond].wait = out->node.cell;
        }
        return true;
}

static bool thread_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        uint32_t peer = e->choice;

        if (peer + 1 >= l->at.n || (e->flags & WIRE_EV_FAILED))
                return learner_unmodelled(l, op_name(e->op));
        out->node.cell = tries_thread(t, peer);
        learner_grow(l, t);
        out->node.kind = e->op == OP_CREATE ? NODE_CREATE : NODE_JOIN;
        out->result = e->op == OP_JOIN ? l->at.at[peer] : 0;
        return true;
}

/* A thread is asked to end. */
static bool cancel_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        out->node.kind = NODE_CANCEL;
        out->node.cell = cancels_cell(t, (uint32_t)((e->obj - WIRE_OBJ_CANCEL(0)) / 8));
        learner_grow(l, t);
        return l->now.at[out->node.cell] == e->value || learner_unmodelled(l, op_name(e->op));
}

static bool try_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        uint64_t peer = (e->obj - WIRE_OBJ_THREAD(0)) / 8;

        if (peer + 1 >= l->at.n)
                return learner_unmodelled(l, op_name(e->op));
        out->node.cell = tries_thread(t, (uint32_t)peer);
        learner_grow(l, t);
        out->node.kind = NODE_TRY;
        l->looks |= e->flags & WIRE_EV_FAILED;
        out->result = e->flags & WIRE_EV_FAILED ? 0 : l->at.at[peer];
        return true;
}

/* The word is memory, which a wait reads, and a requeue that compares. */
static bool futex_event(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before,
                        struct event *out)
{
        struct node *n = &out->node;

        if (t->clocked)
                return learner_unmodelled(l, "clocks beside futexes");
        n->kind = NODE_WAIT;
        n->value = e->value;
        n->root = tries_cell_make(t, CELL_FUTEX, e->op == OP_FUTEX_RETURN ? e->obj - WIRE_OBJ_FUTEX(0) : e->obj, 0);
        n->cell = n->root;
        if (e->op == OP_FUTEX_RETURN)
                n->value = e->mode == WIRE_MODE_WRITE; /* with a deadline */
        if (e->op == OP_FUTEX_REQUEUE && OP_FUTEX_MOVE_TO(e->value) == OP_FUTEX_FAR)
                return learner_unmodelled(l, op_name(e->op));
        if (e->op == OP_FUTEX_REQUEUE)
                n->moved = tries_cell_make(t, CELL_FUTEX, e->obj + (uint64_t)(int64_t)OP_FUTEX_MOVE_TO(e->value), 0);
        if (e->op != OP_FUTEX_RETURN && e->mode == WIRE_MODE_READ) {
                n->cell = tries_cell_make(t, CELL_MEMORY, e->obj >> 3, before);
                n->mask = WORD_MASK(e->size) << 8 * (e->obj & 7);
                out->writes = !(e->flags & WIRE_EV_FAILED);
                out->wrote = e->op == OP_FUTEX_WAIT && out->writes ? OP_FUTEX_WAIT_BITS(e->value) : 0;
        }
        waiters_make(t, e->actor);
        learner_grow(l, t);
        if (n->mask && !uses(l, t, n->cell, n->mask))
                return false;
        if (n->mask && (l->now.at[n->cell] & n->mask) != (before & n->mask))
                return learner_unmodelled(l, "memory that changes without a visible write");
        return true;
}

/* An operation on an object whose state only the target has, or on memory that stands for such a state. */
static bool ordered_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        struct node *n = &out->node;

        n->kind = NODE_ORDERED;
        n->cell = ordered_cell(t, e->obj);
        t->unordered |= op_object(e->op) == OP_OBJ_CHANNEL; /* polls are woken */
        learner_grow(l, t);
        ordered_learn(t, n->cell, l->now.at[n->cell], e->value, UINT64_MAX);
        out->result = ordered_result(n, l->now.at);
        out->writes = e->mode != WIRE_MODE_READ;
        return true;
}

static bool free_event(struct learner *l, struct tries *t, const struct wire_event *e, struct event *out)
{
        uint32_t cell = tries_block(t, e->obj, e->size);

        learner_grow(l, t);
        if (t->cells.at[cell].size != e->size)
                return learner_unmodelled(l, "blocks of the heap that are used again");
        out->node.kind = NODE_FREE;
        out->node.flags |= NODE_PLAIN;
        out->node.cell = cell;
        out->result = l->now.at[cell];
        return true;
}

void understand_begin(const struct wire_event *e, struct event *out)
{
        *out = (struct event){.node = {.op = e->op, .obj = e->obj, .site = e->site}};
        if (e->flags & WIRE_EV_SCHED)
                out->node.flags = NODE_POINT;
        if (e->weak & WIRE_WEAK_DRAINED)
                out->node.flags |= NODE_DRAINS;
        if (e->flags & WIRE_EV_FORCED)
                out->node.flags |= NODE_FORCED;
}

bool understand(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before, struct event *out)
{
        understand_begin(e, out);
        if ((e->op == OP_COND_WAIT || queues_enters(e->op)) && waiters_ranked(t, e->op))
                out->node.rank = (uint8_t)before;
        if (e->flags & WIRE_EV_LAST)
                return learner_unmodelled(l, op_name(e->op));
        switch (e->op) {
        case OP_WRITE:
        case OP_RMW:
        case OP_UPDATE:
                if (e->weak & WIRE_WEAK_HIDDEN)
                        return ordered_event(l, t, e, out);
                return memory_event(l, t, e, before, out);
        case OP_READ:
        case OP_LOAD:
        case OP_STORE:
        case OP_CAS: return memory_event(l, t, e, before, out);
        case OP_OBSERVE: return observe_event(l, t, e, before, out);
        case OP_FREE: return free_event(l, t, e, out);
        case OP_CREATE:
        case OP_JOIN: return thread_event(l, t, e, out);
        case OP_EXIT: out->node.kind = NODE_EXIT; return true;
        case OP_TRYJOIN: return try_event(l, t, e, out);
        case OP_FUTEX_WAIT:
        case OP_FUTEX_WAKE:
        case OP_FUTEX_REQUEUE:
        case OP_FUTEX_RETURN: return futex_event(l, t, e, before, out);
        case OP_BARRIER_WAIT:
        case OP_BARRIER_LEAVE: return barrier_event(l, t, e, out);
        case OP_MUTEX_UNLOCK: return unlock_event(l, t, e, out);
        case OP_CANCEL: return cancel_event(l, t, e, out);
        case OP_CANCEL_POINT:
                out->node.kind = NODE_TEST;
                out->node.flags |= NODE_CANCELS;
                return true;
        case OP_TXN: return learner_unmodelled(l, op_name(e->op));
        case OP_START:
        case OP_END:
        case OP_ATOMIC_BEGIN:
        case OP_FENCE:
        case OP_PREEMPT: out->node.kind = NODE_LOCAL; return true;
        case OP_CHOOSE:
                out->node.kind = NODE_CHOOSE;
                out->node.value = e->value;
                out->result = e->choice;
                return true;
        default: return ordered_known(e->op) ? ordered_event(l, t, e, out) : object_event(l, t, e, out);
        }
}
