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

/* An access that may wake sleeping actors. */
void sched_sleep_wake(const struct wire_event *e);

/* The schedule cannot be followed: `what` has one %u for the actor. */
_Noreturn void sched_diverged(const char *what, uint32_t actor);

/* The running thread leaves with this state; does not return. */
_Noreturn void sched_leave(struct thread *t, uint32_t state);
/* The running thread lets `n` run up to its first visible operation. */
void sched_eager(struct thread *t, struct thread *n);
bool sched_enabled(const struct thread *t);

/* Has it used up its --thread-depth? */
bool sched_used_up(const struct thread *t);
/* The mark of memory on which hooks of t return at once in this run, if any. */
uint64_t sched_fast_mark(const struct thread *t);

#pragma GCC visibility pop

#endif
