/* What operations and the end of an execution need of the scheduler. */
#ifndef HEDDLE_RT_SCHED_SCHED_H
#define HEDDLE_RT_SCHED_SCHED_H

#include "rt/core.h"

#pragma GCC visibility push(hidden)

/* The running thread waits here for its turn. */
void sched_point(struct thread *t);
/* The same inside an atomic section: it is its turn, but the schedule has an answer for it. */
void sched_forced_point(struct thread *t);
/* The running thread, at private memory, lets others go first. */
void sched_give_way(struct thread *t);

/* An access that may wake sleeping actors. */
void sched_sleep_wake(const struct wire_event *e);

/* The schedule cannot be followed: `what` has one %u for the actor. */
_Noreturn void sched_diverged(const char *what, uint32_t actor);

/* WIRE_DETAIL: the value of the thread's last plain store, which is in memory by now. */
void op_tell_store(struct thread *t);

#pragma GCC visibility pop

#endif
