/* What operations and the end of an execution need of the scheduler. */
#ifndef HEDDLE_RT_SCHED_SCHED_H
#define HEDDLE_RT_SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

struct thread;
struct wire_event;

#pragma GCC visibility push(hidden)

/* The running thread waits here for its turn. */
void sched_point(struct thread *t);
/* The same inside an atomic section: it is its turn, but the schedule has an answer for it. */
void sched_forced_point(struct thread *t);
/* The running thread, at private memory, lets others go first. */
void sched_give_way(struct thread *t);

/* The running thread leaves with this state; does not return. */
_Noreturn void sched_leave(struct thread *t, uint32_t state);
/* The running thread lets `n` run up to its first visible operation. */
void sched_eager(struct thread *t, struct thread *n);

#pragma GCC visibility pop

#endif
