/*
 * Starvation (--fair N): a thread that waits, or could run and is not scheduled, through N transitions of others.
 *
 * With the option the tail of a schedule takes turns, so a thread that could run is passed over for long only if the
 * schedule's prefix wants it so; one that waits is passed over by threads that make progress.  That it never ends
 * is certain only if the state repeats.  What is looked for is the next best: the last transitions are the same P ones
 * over and over, with the same objects, places and values.  The report says so, or that it saw no such cycle.
 *
 * A thread that waits for the end of another is not passed over: that one continues.
 */
#include "rt/sched/fair.h"

#include "rt/sched/enabled.h"
#include "rt/sched/end.h"
#include "rt/sched/failure.h"
#include "rt/threads.h"
#include "rt/util.h"

#define MAX_WINDOW 4096u /* transitions in which a cycle is looked for */

static uint32_t window[MAX_WINDOW]; /* the entries that begin the last transitions, the latest first */

static bool same(const struct wire_event *a, const struct wire_event *b)
{
        return a->actor == b->actor && a->op == b->op && a->obj == b->obj && a->site == b->site && a->value == b->value;
}

/* The length of the cycle that the last n transitions repeat, at least twice; 0: none. */
static uint32_t cycle_of(uint32_t n)
{
        const struct wire_event *e = rt.up->events;

        for (uint32_t p = 1; p <= n / 2; p++) {
                uint32_t i = 0;
                while (i + p < n && same(&e[window[i]], &e[window[i + p]]))
                        i++;
                if (i + p == n)
                        return p;
        }
        return 0;
}

static uint32_t look_back(uint32_t n)
{
        uint32_t found = 0;

        for (uint32_t i = ex.n_events; i-- > 0 && found < n && found < MAX_WINDOW;)
                if (rt.up->events[i].flags & WIRE_EV_SCHED)
                        window[found++] = i;
        return found;
}

static _Noreturn void starved(struct thread *t)
{
        uint32_t n = look_back(rt.down->fair), p = cycle_of(n);
        char text[WIRE_TEXT];

        rt_format(text, sizeof text, "T%u %s through %u transitions of others", t->id,
                  sched_enabled(t) ? "could run and is not scheduled" : "waits", rt.down->fair);
        if (p) {
                char more[WIRE_TEXT];
                rt_format(more, sizeof more, "%s, which repeat the same %u", text, p);
                rt_record(t, WIRE_FAIL_STARVED, t->pend.site, more);
        } else {
                rt_record(t, WIRE_FAIL_STARVED, t->pend.site, text);
        }
        exec_end(WIRE_END_FAILED);
}

void fair_turn(struct thread *t)
{
        t->turn.last = ex.n_transitions;
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *o = &threads[i];
                if ((o->state == WIRE_T_READY || o->state == WIRE_T_SPIN) && !op_has(o->pend.op, OPF_UNTIL_END) &&
                    ex.n_transitions - o->turn.last >= rt.down->fair)
                        starved(o);
        }
}
