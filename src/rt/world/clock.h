/* Virtual time. */
#ifndef HEDDLE_RT_WORLD_CLOCK_H
#define HEDDLE_RT_WORLD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct timespec;

#pragma GCC visibility push(hidden)

/* The virtual time at which a timeout is over: absolute by the clock, or from now on.  false: it is not a time. */
bool clock_deadline(bool absolute, int clock, const struct timespec *ts, uint64_t *until);
/* The virtual time at which the clock shows *ts: 0, or EINVAL for a clock or a time that does not exist.  A time before the
 * start is 0.  The caller's memory is read. */
int rt_deadline(int clock, const void *timespec, uint64_t *at, uintptr_t site);

/* The running thread sleeps, a cancellation point. */
void clock_sleep(uint64_t ns, uintptr_t site);

#pragma GCC visibility pop

#endif
