/* Where a waypoint (waypoint.h) may be: the scheduler's side of it. */
#ifndef HEDDLE_RT_WAYPOINT_HERE_H
#define HEDDLE_RT_WAYPOINT_HERE_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The transition before which a waypoint is wanted in this execution, or any one after it; UINT32_MAX: none. */
extern uint32_t waypoint_at;

/* The scheduler is there, and thread t runs: it continues with memory as it was, now and after each waypoint_restore(). */
void waypoint_here(struct thread *t);

/* For the controller: does it run because of that?  Said once. */
bool waypoint_is_here(void);
/* Continues there; returns when the controller's turn comes again. */
void waypoint_continue(void);

#pragma GCC visibility pop

#endif
