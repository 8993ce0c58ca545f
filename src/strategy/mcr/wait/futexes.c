/* See futexes.h, and rt/sync/futex.c, which does the same in the target. */
#include "strategy/mcr/wait/futexes.h"

#include "op/futex.h"
#include "op/op.h"
#include "strategy/mcr/objects.h"

bool futexes_known(uint32_t op)
{
        return op == OP_FUTEX_WAIT || op == OP_FUTEX_RETURN || op == OP_FUTEX_WAKE || op == OP_FUTEX_REQUEUE;
}

bool futexes_enabled(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        return n->op != OP_FUTEX_RETURN || n->value || waiters_over(t, now, thread);
}

/* The first waiter that the operation may wake, from this thread on, as a choice value; 0: none. */
static uint32_t waiter_from(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint32_t bits = n->op == OP_FUTEX_WAKE ? OP_FUTEX_WAKE_BITS(n->value) : UINT32_MAX, w = thread;

        while ((w = waiters_from(t, now, n->root, w)) != 0)
                if (t->nodes.at[now[t->threads.at[w - 1]]].wrote & bits)
                        return w;
        return 0;
}

static uint32_t count(const struct tries *t, const uint64_t *now, const struct node *n)
{
        uint32_t k = 0;

        for (uint32_t w = 0; (w = waiter_from(t, now, n, w)) != 0;)
                k++;
        return k;
}

/* How many it wakes. */
static uint32_t limit(const struct node *n, uint32_t waiters)
{
        uint32_t most = n->op == OP_FUTEX_WAKE ? OP_FUTEX_WAKE_LIMIT(n->value) : OP_FUTEX_MOVE_LIMIT(n->value);

        return waiters < most ? waiters : most;
}

static bool wakes(const struct node *n)
{
        return n->op == OP_FUTEX_WAKE || n->op == OP_FUTEX_REQUEUE;
}

uint32_t futexes_choices(const struct tries *t, const uint64_t *now, const struct node *n)
{
        uint32_t waiters = wakes(n) ? count(t, now, n) : 0, k = limit(n, waiters);

        return !k || k == waiters ? 1 : op_futex_subsets(waiters, k);
}

uint32_t futexes_choice(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t k)
{
        uint32_t w = 0;

        if (!wakes(n))
                return WIRE_NO_CHOICE;
        if (limit(n, count(t, now, n)) != 1)
                return k;
        do
                w = waiter_from(t, now, n, w);
        while (w && k--);
        return w;
}

/* How many a requeue moves, after it has woken some. */
static uint32_t moves(const struct node *n, uint32_t left)
{
        uint32_t most = n->op == OP_FUTEX_REQUEUE ? OP_FUTEX_MOVE_MOVES(n->value) : 0;

        return left < most ? left : most;
}

uint64_t futexes_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint64_t word = now[n->cell] & n->mask;
        uint32_t waiters, k;

        if (n->op == OP_FUTEX_WAIT)
                return word;
        if (n->op == OP_FUTEX_RETURN)
                return waiters_over(t, now, thread) ? OBJECT_DONE : OBJECT_LATE;
        waiters = count(t, now, n);
        k = limit(n, waiters);
        return (word & UINT32_MAX) + (word >> 32) + ((uint64_t)(k + moves(n, waiters - k)) << 32);
}

/* Wakes those of the choice: one by its name, or the subset of that rank. */
static void wake(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t choice, waiters_set *set,
                 void *arg)
{
        uint32_t waiters = count(t, now, n), k = limit(n, waiters);

        if (k == 1) {
                set(arg, waiters_cell(t, choice - 1), 0);
                return;
        }
        for (uint32_t w = 0; k && (w = waiter_from(t, now, n, w)) != 0; waiters--) {
                uint32_t with = op_futex_subsets(waiters - 1, k - 1);
                if (k == waiters || choice < with) {
                        set(arg, waiters_cell(t, w - 1), 0);
                        k--;
                } else {
                        choice -= with;
                }
        }
}

void futexes_do(const struct tries *t, const uint64_t *now, const struct node *n, const struct node *child,
                uint32_t thread, uint32_t choice, waiters_set *set, void *arg)
{
        uint32_t waiters, left;

        if (n->op == OP_FUTEX_RETURN)
                set(arg, waiters_cell(t, thread), 0);
        else if (n->op == OP_FUTEX_WAIT && (child->flags & NODE_WROTE))
                set(arg, waiters_cell(t, thread), waiters_last(t, now, n->root, 0));
        if (!wakes(n) || (n->mask && !(child->flags & NODE_WROTE)))
                return;
        waiters = count(t, now, n);
        wake(t, now, n, choice, set, arg);
        left = moves(n, waiters - limit(n, waiters));
        for (uint32_t w = 0; left && (w = waiter_from(t, now, n, w)) != 0; left--)
                set(arg, waiters_cell(t, w - 1), waiters_last(t, now, n->moved, 0));
}
