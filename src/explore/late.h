/*
 * When to stop in the midst of things: asked inside an execution that does not end, and while one that was very long is
 * learnt from.
 */
#ifndef HEDDLE_EXPLORE_LATE_H
#define HEDDLE_EXPLORE_LATE_H

#include <stdbool.h>

/* Set (by a signal handler, say) to stop. */
extern volatile int loop_interrupted;

/* From now on it is late after this moment of the monotonic clock, in seconds (0: never), and, if `interrupts`, when
 * interrupted.  At first it is late when interrupted. */
void late_after(double seconds, bool interrupts);

/* What takes long and can be left says so, by -EINTR or by failing. */
bool late(void);

#endif
