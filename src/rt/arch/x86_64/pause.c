/*
 * See pause.h.  A loop that waits may read what it waits for by plain loads, which are not seen.  Loops that end by themselves after
 * some rounds run as they are, so that what follows them is explored; in a longer one other threads run first.
 *
 * When threads do nothing but wait for long, they wait for each other, or for one that sleeps in this execution because it runs
 * in others: the execution is cut, and the exploration is incomplete.
 */
#include "rt/arch/x86_64/pause.h"

#include "rt/loops/spin.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/sched/section.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"

#define PAUSES       2048u  /* in a row: a loop that waits for another thread */
#define PAUSES_AGAIN 64u    /* ... and then */
#define IDLE         16384u /* of all threads: none does anything else */
#define TRAPPED      8u     /* so many for one that needs a trap, which costs more */

/* How many were executed since a thread last did anything but wait. */
static uint32_t count_idle(uint32_t weight)
{
        static uint32_t idle, looked; /* entries */

        if (looked > ex.n_events)
                looked = idle = 0; /* another execution */
        for (; looked < ex.n_events; looked++)
                if (rt.up->events[looked].op != OP_PREEMPT)
                        idle = 0;
        return idle += weight;
}

bool pause_waits(struct thread *t, bool trapped)
{
        struct locked_state *s = &t->locked;
        uint32_t weight = trapped ? TRAPPED : 1;

        if (!rt.live)
                return false;
        if (count_idle(weight) >= IDLE && !rt.segments && ex.n_transitions >= rt.n_prefix) {
                rt_note_incomplete(REASON_FAIR, NULL);
                exec_end(WIRE_END_CUT);
        }
        if (s->paused_at != position_of(t))
                s->pauses = 0;
        s->paused_at = position_of(t);
        s->pauses += weight;
        return s->pauses >= PAUSES && !t->section.atomic && !t->section.txn;
}

void pause_yield(struct thread *t, uintptr_t site)
{
        spin_progress(t); /* what it reads is not seen */
        tail_yield(t);
        rt_preempt(site);
        t->locked.paused_at = position_of(t);
        t->locked.pauses = PAUSES - PAUSES_AGAIN;
}
