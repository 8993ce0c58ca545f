/*
 * A cycle is harmless if a fair scheduler leaves it some time: two threads that back off in step stop doing so as soon as
 * one is a little late.  A run that goes on by chance is fair with probability 1, and a few long ones tell.
 *
 * Left out: a cycle from which no way out was found is not shown as a failure; the exploration is called incomplete.
 */
#include "explore/escape.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 4
#define LONG 20000u /* entries beyond the cycle */

static uint32_t copy_decisions(const struct trace *t, uint32_t n, struct wire_decision *to)
{
        uint32_t k = 0;

        for (uint32_t i = 0; i < t->n_events && k < n; i++) {
                const struct wire_event *e = &t->events[i];
                if (e->flags & WIRE_EV_SCHED)
                        to[k++] = (struct wire_decision){.actor = e->actor, .op = e->op, .choice = e->choice};
        }
        return k;
}

static int run_on(struct session *s, uint32_t n, uint64_t seed)
{
        struct schedule *m = &s->schedule;

        m->author = NULL; /* whoever writes the next one writes all of it */
        m->n_prefix = n;
        m->n_hints = m->n_sleep = 0;
        m->tail = WIRE_TAIL_RANDOM;
        m->run_seed = seed;
        m->flags = 0;
        m->points = NULL;
        return session_run(s, 0, 0);
}

int escape_look(struct session *s, bool *found)
{
        struct wire_down *d = s->target.down;
        uint64_t state = s->target.up->cycle_state | 1;
        uint32_t n = copy_decisions(&s->trace, s->trace.step, s->schedule.prefix), depth = d->depth;
        int e = SESSION_OK;

        *found = ptrmap_find(&s->escapes, state) != NULL;
        if (*found)
                return SESSION_OK;
        d->cycles = WIRE_CYCLES_NEVER;
        d->depth = s->trace.n_events + LONG;
        for (uint64_t i = 0; i < RUNS && !*found && e == SESSION_OK; i++) {
                e = run_on(s, n, state + i * UINT64_C(0x9e3779b97f4a7c15));
                *found = e == SESSION_DIED || (e == SESSION_OK && s->trace.end != WIRE_END_DEPTH);
                e = e == SESSION_DIED ? SESSION_OK : e;
        }
        d->cycles = WIRE_CYCLES_ALL;
        d->depth = depth;
        if (*found && ptrmap_insert(&s->escapes, state, s))
                e = SESSION_FAIL;
        return e;
}
