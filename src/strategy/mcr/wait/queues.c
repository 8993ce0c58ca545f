/* See queues.h. */
#include "strategy/mcr/wait/queues.h"

#include "op/op.h"
#include "strategy/mcr/users.h"

bool queues_enters(uint32_t op)
{
        switch (op) {
        case OP_MUTEX_QUEUE:
        case OP_MUTEX_REQUEUE:
        case OP_SEM_QUEUE:
        case OP_RWLOCK_RDQUEUE:
        case OP_RWLOCK_WRQUEUE: return true;
        default: return false;
        }
}

bool queues_turn(const struct tries *t, const struct node *n)
{
        return n->result == OBJECT_QUEUED && queues_enters(t->nodes.at[n->parent].op);
}

uint32_t queues_from(const struct tries *t, uint32_t node)
{
        return queues_turn(t, &t->nodes.at[node]) || users_turn(t, &t->nodes.at[node]) ? t->nodes.at[node].parent
                                                                                       : node;
}

/* The operation without a queue. */
static uint32_t plain(uint32_t op)
{
        switch (op) {
        case OP_SEM_QUEUE:
        case OP_SEM_TURN:
        case OP_SEM_TIMEDTURN: return OP_SEM_WAIT;
        case OP_RWLOCK_RDQUEUE:
        case OP_RWLOCK_RDTURN:
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_TIMEDRDTURN: return OP_RWLOCK_RDLOCK;
        case OP_RWLOCK_WRQUEUE:
        case OP_RWLOCK_WRTURN:
        case OP_RWLOCK_WRLOCK:
        case OP_RWLOCK_TIMEDWRTURN: return OP_RWLOCK_WRLOCK;
        default: return OP_MUTEX_LOCK;
        }
}

/* Is it the thread's turn, whether or not it may wait for that? */
static bool may_take(const struct tries *t, uint64_t state, const struct node *n, uint32_t thread)
{
        uint32_t op = plain(n->op);

        if (waiters_ordered(t, n->op) && !op_is_next(state, thread) && !(state & OP_MUTEX_LOST))
                return false;
        if (op == OP_RWLOCK_RDLOCK || op == OP_RWLOCK_WRLOCK)
                return op == OP_RWLOCK_RDLOCK ? op_rwlock_may_read(state) : op_rwlock_may_write(state);
        return op_enabled(op == OP_MUTEX_LOCK ? (uint32_t)OP_MUTEX_RELOCK : op, state, thread);
}

bool queues_enabled(const uint64_t *now, const struct node *n, uint32_t thread)
{
        return !op_blocks(n->op) || op_enabled(n->op, now[n->cell], thread);
}

static uint64_t with_next(uint64_t state, uint32_t next)
{
        return (state & ~OP_NEXT_BITS) | (uint64_t)next << 44;
}

/* Joins the queue, or need not. */
static struct object_effect enter(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint64_t state = now[n->cell];

        if (state & OP_GONE)
                return (struct object_effect){OBJECT_GONE, state};
        if (op_object(n->op) == OP_OBJ_RWLOCK && OP_OWNER(state) == thread + 1)
                return (struct object_effect){OBJECT_REFUSED, state};
        if (op_passes(n->op, state, thread))
                return object_do(plain(n->op), state, thread, 0);
        if (!waiters_ordered(t, n->op))
                return (struct object_effect){OBJECT_QUEUED, state + OP_RWLOCK_WAITER};
        return (struct object_effect){OBJECT_QUEUED,
                                      with_next(state, waiters_next_with(t, now, n->op, n->cell, thread, n->rank))};
}

/* Leaves the queue, with the lock or too late. */
static struct object_effect turn(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint64_t state = now[n->cell];
        bool taken = may_take(t, state, n, thread);

        if (waiters_ordered(t, n->op))
                state = with_next(state, waiters_next(t, now, n->op, n->cell, thread));
        else
                state -= OP_RWLOCK_WAITER;
        return taken ? object_do(plain(n->op), state, thread, 0) : (struct object_effect){OBJECT_LATE, state};
}

static struct object_effect effect_of(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        return queues_turn(t, n) ? turn(t, now, n, thread) : enter(t, now, n, thread);
}

uint64_t queues_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        return effect_of(t, now, n, thread).result;
}

void queues_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, waiters_set *set,
               void *arg)
{
        struct object_effect e = effect_of(t, now, n, thread);

        if (e.result == OBJECT_QUEUED && waiters_ordered(t, n->op))
                set(arg, waiters_cell(t, thread), waiters_last(t, now, n->cell, n->rank));
        else if (queues_turn(t, n) && waiters_ordered(t, n->op))
                set(arg, waiters_cell(t, thread), 0);
        set(arg, n->cell, e.after);
}
