/*
 * A waypoint: the state in mid-execution, from which later executions continue that begin with the same transitions.
 *
 * It covers all private writable memory of the process, the runtime's included, and the entries that were written.  The kernel
 * says which pages were written since (userfaultfd, PAGEMAP_SCAN): these are copied back.  There is one waypoint at a time, and none
 * where the kernel does not say, or where an execution made system calls.
 */
#ifndef HEDDLE_RT_WAYPOINT_WAYPOINT_H
#define HEDDLE_RT_WAYPOINT_WAYPOINT_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* For the controller, which has this stack. */
void waypoint_init(const void *stack, size_t size);
/* Has the scheduler come here for a waypoint?  Then it is taken, and waypoint_resume() is due. */
bool waypoint_take(void);
/* An execution is over; before the answer. */
void waypoint_over(void);
/* The next schedule is there.  True: memory is as at the waypoint, and waypoint_resume() is due; else the execution begins at the
 * snapshot. */
bool waypoint_restore(void);
void waypoint_resume(void);

#pragma GCC visibility pop

#endif
