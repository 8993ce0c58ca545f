/* Where a thread may be preempted. */
#ifndef HEDDLE_RT_SCHED_POINTS_H
#define HEDDLE_RT_SCHED_POINTS_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The set of preemption points of the run that begins. */
void point_init_run(void);
/* Where transitions are blocks: may the thread be preempted before this operation, its pending one? */
bool point_here(struct thread *t, uint32_t op);

#pragma GCC visibility pop

#endif
