/* Which accesses the runtime must see: all of a thread that may spin (spin.c), and all while states are remembered
 * (cycle.c).  The hot path asks only this. */
#ifndef HEDDLE_RT_LOOPS_TRACKING_H
#define HEDDLE_RT_LOOPS_TRACKING_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

extern uint32_t spin_watchers; /* threads that are suspected or blocked, plus 1 while cycle_on */
extern bool cycle_on;          /* states are being remembered */

/* Must every access of it be seen?  If not any more, its hooks may return at once again. */
void tracking_end(struct thread *t);

/* The mark of memory on which hooks of t return at once in this run, if any. */
uint64_t sched_fast_mark(const struct thread *t);

#pragma GCC visibility pop

#endif
