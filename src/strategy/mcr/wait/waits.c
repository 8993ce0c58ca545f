/* See waits.h. */
#include "strategy/mcr/wait/waits.h"

#include "op/op.h"
#include "strategy/mcr/wait/cancels.h"
#include "strategy/mcr/wait/futexes.h"
#include "strategy/mcr/wait/queues.h"

bool waits_known(uint32_t op)
{
        switch (op) {
        case OP_COND_WAIT:
        case OP_COND_TIMEOUT:
        case OP_COND_SIGNAL:
        case OP_COND_BROADCAST:
        case OP_BARRIER_WAIT:
        case OP_BARRIER_LEAVE:
        case OP_MUTEX_TURN:
        case OP_MUTEX_TIMEDTURN:
        case OP_SEM_TURN:
        case OP_SEM_TIMEDTURN:
        case OP_RWLOCK_RDTURN:
        case OP_RWLOCK_WRTURN:
        case OP_RWLOCK_TIMEDRDTURN:
        case OP_RWLOCK_TIMEDWRTURN: return true;
        default: return queues_enters(op) || futexes_known(op);
        }
}

bool waits_sleeps(const struct tries *t, const uint64_t *now, uint32_t at)
{
        const struct node *n = &t->nodes.at[at], *wait = waiters_before(t, at);

        if (wait && wait->value && n->op != OP_COND_TIMEOUT) /* waits_leave(); or it is not known yet */
                return false;
        if (!wait || waiters_over(t, now, n->thread))
                return false;
        return n->kind == NODE_UNKNOWN ? !cancels_asked(t, now, n->thread) : !cancels_now(t, now, at);
}

void waits_leave(const struct tries *t, const uint64_t *now, uint32_t at, waiters_set *set, void *arg)
{
        const struct node *n = &t->nodes.at[at], *wait = n->op == OP_MUTEX_RELOCK ? waiters_before(t, at) : NULL;

        if (!wait || !wait->value || (n->flags & NODE_CANCELS) || waiters_over(t, now, n->thread))
                return;
        set(arg, wait->cell, now[wait->cell] - 1);
        set(arg, waiters_cell(t, n->thread), 0);
}

static bool in_queues(const struct tries *t, const struct node *n)
{
        return queues_enters(n->op) || queues_turn(t, n);
}

bool waits_enabled(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        if (futexes_known(n->op))
                return futexes_enabled(t, now, n, thread);
        if (queues_turn(t, n))
                return queues_enabled(now, n, thread);
        return (n->op != OP_BARRIER_LEAVE && n->op != OP_MUTEX_REQUEUE) || waiters_over(t, now, thread);
}

static bool is_last(uint64_t state)
{
        return OP_BARRIER_ARRIVED(state) + 1 == OP_BARRIER_COUNT(state);
}

/* Is the thread one of those that the operation may choose? */
static bool may_choose(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t who)
{
        uint64_t state = now[n->cell];

        if (n->op == OP_BARRIER_WAIT &&
            (t->wakeup[WIRE_PRIM_BARRIER] || !is_last(state) || OP_BARRIER_COUNT(state) == 1))
                return false;
        if (n->op != OP_BARRIER_WAIT && (n->op != OP_COND_SIGNAL || waiters_ordered(t, n->op)))
                return false;
        return (n->op == OP_BARRIER_WAIT && who == thread) || waiters_has(t, now, n->cell, who);
}

/* Is it a wait that may end by itself? */
static bool may_end(const struct tries *t, const uint64_t *now, const struct node *n)
{
        return n->op == OP_COND_WAIT && !(now[n->cell] & OP_GONE) && OP_COND_SPURIOUS(now[n->cell]) < t->spurious;
}

uint32_t waits_choices(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint32_t k = 0;

        if (futexes_known(n->op))
                return futexes_choices(t, now, n);
        if (may_end(t, now, n))
                return 2;
        for (uint32_t i = 0; i < t->threads.n; i++)
                k += may_choose(t, now, n, thread, i);
        return k ? k : 1;
}

uint32_t waits_choice(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t k)
{
        if (futexes_known(n->op))
                return futexes_choice(t, now, n, k);
        if (may_end(t, now, n))
                return k;
        for (uint32_t i = 0; i < t->threads.n; i++)
                if (may_choose(t, now, n, thread, i) && !k--)
                        return i + 1;
        return WIRE_NO_CHOICE;
}

uint64_t waits_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        if (futexes_known(n->op))
                return futexes_result(t, now, n, thread);
        if (in_queues(t, n))
                return queues_result(t, now, n, thread);
        if (n->op == OP_BARRIER_LEAVE)
                return now[waiters_cell(t, thread)] == WAITERS_LEFT_SERIAL;
        if (n->op == OP_COND_TIMEOUT)
                return OBJECT_LATE;
        if (now[n->cell] & OP_GONE)
                return OBJECT_GONE;
        return n->op == OP_BARRIER_WAIT && !OP_BARRIER_COUNT(now[n->cell]) ? OBJECT_REFUSED : OBJECT_DONE;
}

/* Who is the serial thread, as a choice value: by choice, or as --wakeup says. */
static uint32_t serial(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread, uint32_t choice)
{
        uint32_t first = thread + 1, last = thread + 1;

        for (uint32_t w = 0; (w = waiters_from(t, now, object, w)) != 0;) {
                first = w < first ? w : first;
                last = w > last ? w : last;
        }
        return t->wakeup[WIRE_PRIM_BARRIER] == WIRE_WAKEUP_FIRST  ? first
               : t->wakeup[WIRE_PRIM_BARRIER] == WIRE_WAKEUP_LAST ? last
               : OP_BARRIER_COUNT(now[object]) == 1               ? thread + 1
                                                                  : choice;
}

static void arrive(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread, uint32_t choice,
                   waiters_set *set, void *arg)
{
        uint64_t state = now[object];
        uint32_t one;

        if (!is_last(state)) {
                set(arg, object, state + 1);
                set(arg, waiters_cell(t, thread), waiters_last(t, now, object, 0));
                return;
        }
        one = serial(t, now, object, thread, choice);
        for (uint32_t w = 0; (w = waiters_from(t, now, object, w)) != 0;)
                set(arg, waiters_cell(t, w - 1), w == one ? WAITERS_LEFT_SERIAL : WAITERS_LEFT);
        set(arg, waiters_cell(t, thread), thread + 1 == one ? WAITERS_LEFT_SERIAL : WAITERS_LEFT);
        set(arg, object, OP_BARRIER_INITIAL(OP_BARRIER_COUNT(state)) | (uint64_t)(OP_BARRIER_ROUND(state) + 1) << 32);
}

static void cond_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t choice,
                    waiters_set *set, void *arg)
{
        uint64_t state = now[n->cell];

        switch (n->op) {
        case OP_COND_WAIT:
                if (choice == 1 && may_end(t, now, n)) {
                        set(arg, n->cell, state + OP_COND_SPURIOUS_ONE);
                        break;
                }
                set(arg, waiters_cell(t, thread), waiters_last(t, now, n->cell, n->rank));
                set(arg, n->cell, state + 1);
                break;
        case OP_COND_TIMEOUT:
                set(arg, n->cell, state - 1);
                set(arg, waiters_cell(t, thread), 0);
                break;
        case OP_COND_SIGNAL:
                if (waiters_ordered(t, n->op))
                        choice = waiters_next(t, now, n->op, n->cell, thread);
                if (!choice || choice == WIRE_NO_CHOICE)
                        break;
                set(arg, n->cell, state - 1);
                set(arg, waiters_cell(t, choice - 1), waiters_signalled(t, choice - 1));
                break;
        default:
                for (uint32_t w = 0; (w = waiters_from(t, now, n->cell, w)) != 0; state--)
                        set(arg, waiters_cell(t, w - 1), 0);
                set(arg, n->cell, state);
                break;
        }
}

void waits_do(const struct tries *t, const uint64_t *now, const struct node *n, const struct node *child,
              uint32_t thread, uint32_t choice, waiters_set *set, void *arg)
{
        if (futexes_known(n->op))
                futexes_do(t, now, n, child, thread, choice, set, arg);
        else if (in_queues(t, n))
                queues_do(t, now, n, thread, set, arg);
        else if (n->op == OP_BARRIER_LEAVE)
                set(arg, waiters_cell(t, thread), 0);
        else if (n->op == OP_COND_TIMEOUT)
                cond_do(t, now, n, thread, choice, set, arg);
        else if (waits_result(t, now, n, thread) == OBJECT_DONE && n->op == OP_BARRIER_WAIT)
                arrive(t, now, n->cell, thread, choice, set, arg);
        else if (waits_result(t, now, n, thread) == OBJECT_DONE)
                cond_do(t, now, n, thread, choice, set, arg);
}
