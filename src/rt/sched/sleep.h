/* The sleep set: actors whose next transition has been explored from here. */
#ifndef HEDDLE_RT_SCHED_SLEEP_H
#define HEDDLE_RT_SCHED_SLEEP_H

#include <stdbool.h>

struct wire_event;

#pragma GCC visibility push(hidden)

/* From now on the sleep set of the schedule holds. */
void sleep_arm(void);
/* An access that may wake sleeping actors. */
void sched_sleep_wake(const struct wire_event *e);

#pragma GCC visibility pop

#endif
