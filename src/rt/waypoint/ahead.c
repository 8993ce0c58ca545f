/* See ahead.h.  Nothing of this is used together with a waypoint: such schedules are short. */
#include "rt/waypoint/ahead.h"

#include <stddef.h>

#include "rt/threads.h"
#include "rt/util.h"

static uint32_t next, n;
static struct wire_decision decisions[WIRE_AHEAD_COMMON + WIRE_AHEAD_DECISIONS];

void ahead_begin(void)
{
        next = 0;
        n = rt.down->n_ahead < WIRE_AHEAD_BATCH ? rt.down->n_ahead : WIRE_AHEAD_BATCH;
}

bool ahead_runs(void)
{
        return next < n;
}

static uint32_t place(void)
{
        return rt.down->ahead_list[next] % WIRE_AHEAD;
}

void ahead_read(void)
{
        const struct wire_down *d = rt.down;
        const struct wire_ahead *a = &d->ahead[ahead_runs() ? place() : 0];

        if (!ahead_runs()) {
                rt.prefix = d->prefix;
                rt.n_prefix = d->n_prefix;
                rt.n_hints = d->n_hints;
                rt.n_last = d->n_last;
                rt.sleep = d->sleep;
                rt.n_sleep = d->n_sleep;
                rt.footprint = d->footprint;
                return;
        }
        rt_copy(decisions, d->prefix, a->common * sizeof *decisions);
        rt_copy(decisions + a->common, a->decisions, (a->n_prefix + a->n_hints - a->common) * sizeof *decisions);
        rt.prefix = decisions;
        rt.n_prefix = a->n_prefix;
        rt.n_hints = a->n_hints;
        rt.n_last = a->n_last;
        rt.sleep = a->sleep;
        rt.n_sleep = a->n_sleep;
        rt.footprint = a->footprint;
}

/* Is there nothing to tell but the entries and where the threads are? */
static bool is_plain(const struct wire_up *up)
{
        if (up->end != WIRE_END_DONE && up->end != WIRE_END_SLEEP && up->end != WIRE_END_CUT)
                return false;
        if (up->n_events > WIRE_AHEAD_EVENTS || up->n_threads > WIRE_AHEAD_THREADS || up->n_awaits > WIRE_AHEAD_AWAITS)
                return false;
        return !(up->n_failures | up->n_new_shared | up->n_leaks | up->n_wasted | up->timeouts | up->timeout_row |
                 up->used_up | up->endless | up->overruled | up->gave_way | up->txn.blocked | up->txn.offered |
                 up->txn.full | up->n_hashes) &&
               up->restorable;
}

static void tell(struct wire_ahead_answer *a, const struct wire_up *up)
{
        size_t size = up->end == WIRE_END_CUT ? sizeof *a->threads : offsetof(struct wire_thread, stack);

        a->n_events = up->n_events;
        a->n_transitions = up->n_transitions;
        a->n_threads = up->n_threads;
        a->n_awaits = up->n_awaits;
        a->end = up->end;
        a->clocks = up->clocks;
        a->leaks_known = up->leaks_known;
        a->exit_status = up->exit_status;
        rt_copy(a->events, up->events, a->n_events * sizeof *a->events);
        for (uint32_t i = 0; i < a->n_threads; i++)
                rt_copy(&a->threads[i], &up->threads[i], size);
        rt_copy(a->awaits, up->awaits, a->n_awaits * sizeof *a->awaits);
        a->told = rt.down->seq;
}

bool ahead_over(void)
{
        if (!ahead_runs())
                return false;
        if (is_plain(rt.up))
                tell(&rt.up->ahead[place()], rt.up);
        next++;
        return true;
}
