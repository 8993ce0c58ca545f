/* Which threads can make a transition. */
#ifndef HEDDLE_RT_SCHED_ENABLED_H
#define HEDDLE_RT_SCHED_ENABLED_H

#include "rt/threads.h"
#include "rt/weak/weak_state.h"

#pragma GCC visibility push(hidden)

bool sched_enabled(const struct thread *t);
/* Has it used up its --thread-depth? */
bool sched_used_up(const struct thread *t);

/* May a thread that joins it continue? */
static inline bool thread_has_ended(const struct thread *t)
{
        return t->state == WIRE_T_DONE && mm_is_drained(&t->weak);
}

/* --timeouts stuck: if all threads are blocked, the one with the earliest deadline times out. */
void timed_let_go(void);

#pragma GCC visibility pop

#endif
