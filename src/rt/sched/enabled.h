/* Which threads can make a transition. */
#ifndef HEDDLE_RT_SCHED_ENABLED_H
#define HEDDLE_RT_SCHED_ENABLED_H

#include "op/row.h"
#include "rt/rt.h"
#include "rt/threads.h"
#include "rt/weak/weak_state.h"

#pragma GCC visibility push(hidden)

/* See sched_able(): what an access to memory never waits for is not asked on the hot path. */
bool sched_able_slow(const struct thread *t);

/* Can its operation be performed, whatever signals there are? */
bool sched_proceeds(const struct thread *t);
/* Has it used up its --thread-depth? */
bool sched_used_up(const struct thread *t);

/* May a thread that joins it continue? */
static inline bool thread_has_ended(const struct thread *t)
{
        return t->state == WIRE_T_DONE && mm_is_drained(&t->weak);
}

/* `fair_limit`: must it let others run first?  All that it is asked of follows from what the thread itself has done. */
bool fair_waits(const struct thread *t);

/* Can it make a transition, whether or not it must let others run first? */
static inline bool sched_able(const struct thread *t)
{
        if (RT_LIKELY(t->state == WIRE_T_READY && op_has(t->pend.op, OPF_PLAIN | OPF_ATOMIC)) &&
            RT_LIKELY(!t->weak.buffered && !rt.down->thread_depth))
                return true;
        return sched_able_slow(t);
}

static inline bool sched_enabled(const struct thread *t)
{
        return sched_able(t) && !(RT_UNLIKELY(rt.down->fair_limit) && t->state == WIRE_T_READY && fair_waits(t));
}

/* It is about to continue.  If it has run alone for long, and the process has exited, or another thread has stopped for good, the
 * execution ends.  If nothing limits how long threads run before that, the explorer learns it. */
void fair_alone(const struct thread *t);
/* If all threads that could continue must let others run first, the one that had the fewest turns continues; not if the process has
 * exited, and not again if another thread has stopped for good. */
void fair_let_go(void);
/* It continues, with this entry. */
void fair_continues(struct thread *t, struct wire_event *e);

/* --timeouts stuck: if all threads are blocked, the one with the earliest deadline times out. */
void timed_let_go(void);
/* In a run of segments, any hook can be a turning point, so others may have things left to do that are in no segment: one that can do
 * them before the thread, which waits with a deadline, times out; NULL: there is none. */
struct thread *timed_unseen(const struct thread *t);

#pragma GCC visibility pop

#endif
