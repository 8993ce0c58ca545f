/* See waits.h.  Values of a thread's cell: 0, WAITS_FOR(the object's cell), or that it has left a barrier. */
#include "strategy/mcr/waits.h"

#include "op/op.h"

#define WAITS_FOR(cell) ((uint64_t)(cell) << 2 | 1)
#define LEFT            2u
#define LEFT_SERIAL     3u

bool waits_known(uint32_t op)
{
        switch (op) {
        case OP_COND_WAIT:
        case OP_COND_SIGNAL:
        case OP_COND_BROADCAST:
        case OP_BARRIER_WAIT:
        case OP_BARRIER_LEAVE: return true;
        default: return false;
        }
}

uint32_t waits_cell(struct tries *t, uint32_t thread)
{
        uint32_t cell = tries_cell_make(t, CELL_WAIT, thread, 0), of = tries_thread(t, thread);

        t->cells.at[of].wait = cell;
        return cell;
}

static uint32_t cell_of(const struct tries *t, uint32_t thread)
{
        return t->threads.at[thread] ? t->cells.at[t->threads.at[thread]].wait : 0;
}

/* The first waiter for an object from this thread on, as a choice value; 0: none. */
static uint32_t waiter_from(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread)
{
        for (; thread < t->threads.n; thread++)
                if (cell_of(t, thread) && now[cell_of(t, thread)] == WAITS_FOR(object))
                        return thread + 1;
        return 0;
}

static bool is_last(uint64_t state)
{
        return OP_BARRIER_ARRIVED(state) + 1 == OP_BARRIER_COUNT(state);
}

/* Is the thread one of those that the operation may choose? */
static bool may_choose(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t who)
{
        uint64_t state = now[n->cell];

        if (n->op == OP_BARRIER_WAIT && (!is_last(state) || OP_BARRIER_COUNT(state) == 1))
                return false;
        if (n->op != OP_BARRIER_WAIT && n->op != OP_COND_SIGNAL)
                return false;
        return (n->op == OP_BARRIER_WAIT && who == thread) || waiter_from(t, now, n->cell, who) == who + 1;
}

uint32_t waits_choices(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint32_t k = 0;

        for (uint32_t i = 0; i < t->threads.n; i++)
                k += may_choose(t, now, n, thread, i);
        return k ? k : 1;
}

uint32_t waits_choice(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t k)
{
        for (uint32_t i = 0; i < t->threads.n; i++)
                if (may_choose(t, now, n, thread, i) && !k--)
                        return i + 1;
        return WIRE_NO_CHOICE;
}

bool waits_over(const struct tries *t, const uint64_t *now, uint32_t thread)
{
        uint32_t cell = cell_of(t, thread);

        return !cell || (now[cell] & 3) != 1;
}

uint64_t waits_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        if (n->op == OP_BARRIER_LEAVE)
                return now[cell_of(t, thread)] == LEFT_SERIAL;
        if (now[n->cell] & OP_GONE)
                return OBJECT_GONE;
        return n->op == OP_BARRIER_WAIT && !OP_BARRIER_COUNT(now[n->cell]) ? OBJECT_REFUSED : OBJECT_DONE;
}

void waits_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t choice,
              void (*set)(void *arg, uint32_t cell, uint64_t value), void *arg)
{
        uint64_t state = now[n->cell];
        uint32_t w;

        if (n->op == OP_BARRIER_LEAVE) {
                set(arg, cell_of(t, thread), 0);
                return;
        }
        if (waits_result(t, now, n, thread) != OBJECT_DONE)
                return;
        switch (n->op) {
        case OP_COND_WAIT:
                set(arg, n->cell, state + 1);
                set(arg, cell_of(t, thread), WAITS_FOR(n->cell));
                break;
        case OP_COND_SIGNAL:
                if (!choice || choice == WIRE_NO_CHOICE)
                        break;
                set(arg, n->cell, state - 1);
                set(arg, cell_of(t, choice - 1), 0);
                break;
        case OP_COND_BROADCAST:
                for (w = 0; (w = waiter_from(t, now, n->cell, w)) != 0; state--)
                        set(arg, cell_of(t, w - 1), 0);
                set(arg, n->cell, state);
                break;
        case OP_BARRIER_WAIT:
                if (!is_last(state)) {
                        set(arg, n->cell, state + 1);
                        set(arg, cell_of(t, thread), WAITS_FOR(n->cell));
                        break;
                }
                for (w = 0; (w = waiter_from(t, now, n->cell, w)) != 0;)
                        set(arg, cell_of(t, w - 1), w == choice ? LEFT_SERIAL : LEFT);
                set(arg, cell_of(t, thread), thread + 1 == choice || OP_BARRIER_COUNT(state) == 1 ? LEFT_SERIAL : LEFT);
                set(arg, n->cell,
                    OP_BARRIER_INITIAL(OP_BARRIER_COUNT(state)) | (uint64_t)(OP_BARRIER_ROUND(state) + 1) << 32);
                break;
        default: break;
        }
}
