/* The schedules of a message: those that the explorer is likely to ask for soon (wire/ahead.h), then the one it asks for. */
#ifndef HEDDLE_RT_WAYPOINT_AHEAD_H
#define HEDDLE_RT_WAYPOINT_AHEAD_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* A new message is there: it begins with its first schedule. */
void ahead_begin(void);
/* The schedule that is to be run, into `rt`.  Not with segments. */
void ahead_read(void);
/* Is that one which the message does not ask for? */
bool ahead_runs(void);
/* An execution is over.  True: it was run ahead and is recorded, and the next schedule is due.  False: the answer is due. */
bool ahead_over(void);

#pragma GCC visibility pop

#endif
