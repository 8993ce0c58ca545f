/* See cancels.h. */
#include "strategy/mcr/wait/cancels.h"

#include "op/op.h"

uint32_t cancels_cell(struct tries *t, uint32_t thread)
{
        uint32_t of = tries_thread(t, thread), cell = t->cells.at[of].cancel;

        if (cell)
                return cell;
        cell = tries_cell_make(t, CELL_CANCEL, thread, 0);
        t->cells.at[of].cancel = cell;
        t->cancels++;
        return cell;
}

bool cancels_find(struct tries *t, const struct trace *trace, uint32_t n_entries)
{
        bool found = false;

        for (uint32_t i = 0; i < n_entries; i++) {
                const struct wire_event *e = &trace->events[i];
                if (e->op != OP_CANCEL && e->op != OP_CANCEL_POINT && e->op != OP_CANCELLED)
                        continue;
                cancels_cell(t, (uint32_t)((e->obj - WIRE_OBJ_CANCEL(0)) / 8));
                found = true;
        }
        return found;
}

bool cancels_asked(const struct tries *t, const uint64_t *now, uint32_t thread)
{
        uint32_t of = t->threads.at[thread];

        return of && t->cells.at[of].cancel && now[t->cells.at[of].cancel];
}

bool cancels_now(const struct tries *t, const uint64_t *now, uint32_t at)
{
        const struct node *n = &t->nodes.at[at];

        return (n->flags & NODE_CANCELS) && cancels_asked(t, now, n->thread);
}

bool cancels_late(const struct node *n)
{
        return n->op == OP_MUTEX_RELOCK || n->op == OP_COND_TIMEOUT;
}

uint64_t cancels_result(const struct tries *t, const uint64_t *now, uint32_t at, uint64_t result)
{
        return cancels_now(t, now, at) ? result ^ TRIES_CANCELLED : result;
}

/* The condition variable that a thread comes back from. */
static uint32_t cond_of(const struct tries *t, uint32_t at)
{
        const struct node *wait = waiters_before(t, at), *before = &t->nodes.at[t->nodes.at[at].parent];

        return wait ? wait->cell : before->op == OP_COND_TIMEOUT ? before->cell : 0;
}

static bool was_signalled(const struct tries *t, const uint64_t *now, uint32_t thread)
{
        uint32_t cell = waiters_cell(t, thread);

        return cell && now[cell] == WAITERS_SIGNALLED;
}

/* May it choose who gets the signal? */
static bool chooses(const struct tries *t, const uint64_t *now, uint32_t at)
{
        const struct node *n = &t->nodes.at[at];

        return n->op == OP_MUTEX_RELOCK && cancels_now(t, now, at) && was_signalled(t, now, n->thread) &&
               !waiters_ordered(t, OP_COND_SIGNAL);
}

uint32_t cancels_choices(const struct tries *t, const uint64_t *now, uint32_t at)
{
        uint32_t k = 0;

        for (uint32_t w = 0; chooses(t, now, at) && (w = waiters_from(t, now, cond_of(t, at), w)) != 0;)
                k++;
        return k ? k : 1;
}

uint32_t cancels_choice(const struct tries *t, const uint64_t *now, uint32_t at, uint32_t k)
{
        uint32_t w = 0;

        if (!chooses(t, now, at))
                return WIRE_NO_CHOICE;
        while ((w = waiters_from(t, now, cond_of(t, at), w)) != 0 && k)
                k--;
        return w ? w : WIRE_NO_CHOICE;
}

void cancels_leave(const struct tries *t, const uint64_t *now, uint32_t at, uint32_t choice, waiters_set *set,
                   void *arg)
{
        uint32_t thread = t->nodes.at[at].thread, cond = cond_of(t, at), cell = waiters_cell(t, thread);
        bool signalled = was_signalled(t, now, thread), waits = !waiters_over(t, now, thread);

        if (!cell || !cond)
                return;
        if (cancels_now(t, now, at)) {
                if (signalled && waiters_ordered(t, OP_COND_SIGNAL))
                        choice = waiters_next(t, now, OP_COND_SIGNAL, cond, thread);
                if (signalled && choice && choice != WIRE_NO_CHOICE) {
                        set(arg, cond, now[cond] - 1);
                        set(arg, waiters_cell(t, choice - 1), waiters_signalled(t, choice - 1));
                } else if (waits) {
                        set(arg, cond, now[cond] - 1);
                }
        } else if (waits) {
                return;
        }
        set(arg, cell, 0);
}

/* Is it an entry of the transition of the one before, by the same call? */
static bool follows(const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];

        return i && i < trace->n_events && !(e->flags & WIRE_EV_SCHED) && e[-1].actor == e->actor &&
               e[-1].site == e->site;
}

bool cancels_passed(const struct trace *trace, uint32_t i)
{
        uint32_t op = trace->events[i].op;

        return op != OP_CANCEL_POINT && op != OP_CANCEL && follows(trace, i + 1) &&
               trace->events[i + 1].op == OP_CANCEL_POINT;
}

bool cancels_entry(const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];

        return e->op == OP_CANCELLED || (e->op == OP_CANCEL_POINT && e->value && !(i && cancels_passed(trace, i - 1)));
}

bool cancels_part(const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];

        if (!follows(trace, i))
                return false;
        switch (e->op) {
        case OP_CANCEL:
        case OP_CLAIM:
        case OP_WAKE: return false;
        case OP_CANCEL_POINT: return cancels_passed(trace, i - 1);
        case OP_COND_SIGNAL: /* the request looks at what the thread waits for; the wait has ended */
                return e->mode == WIRE_MODE_READ ? e[-1].op == OP_CANCEL : e[-1].op == OP_CANCEL_POINT && e[-1].value;
        default: break;
        }
        if (e->op == OP_MUTEX_TRYLOCK && e->mode == WIRE_MODE_READ && cancels_part(trace, i - 1) &&
            e[-1].op == OP_COND_SIGNAL)
                return true;
        /* what the thread gives up */
        return cancels_entry(trace, i - 1) && e->mode == WIRE_MODE_READ && (e->flags & WIRE_EV_FAILED);
}
