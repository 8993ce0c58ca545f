/* The virtual time of each thread, and what clocks show at it. */
#ifndef HEDDLE_RT_WORLD_TIME_H
#define HEDDLE_RT_WORLD_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define NSEC      UINT64_C(1000000000)
#define FOREVER   (UINT64_C(1) << 62) /* clocks stop here */
#define WALL_BASE (UINT64_C(1704067200) * NSEC)
#define MONO_BASE (UINT64_C(1000) * NSEC)
#define CPU_BASE  NSEC

#pragma GCC visibility push(hidden)

/* Time passes for the running thread or, before the runtime is up, for the process. */
void time_pass(uint64_t ns);
/* What a clock shows at virtual time 0; UINT64_MAX for one that does not exist. */
uint64_t time_base(clockid_t id);
/* What a clock with this base shows now. */
uint64_t time_now(uint64_t base);
/* Nanoseconds, FOREVER if they are more, UINT64_MAX for what is not a time. */
uint64_t time_joined(const struct timespec *ts);
/* The running thread reads the caller's memory. */
void time_will_read(const void *p, size_t n, uintptr_t site);

/* The virtual time at which a timeout is over: absolute by the clock, or from now on.  false: it is not a time. */
bool clock_deadline(bool absolute, int clock, const struct timespec *ts, uint64_t *until);
/* The virtual time at which the clock shows *ts: 0, or EINVAL for a clock or a time that does not exist.  A time before the
 * start is 0.  The caller's memory is read. */
int rt_deadline(int clock, const void *timespec, uint64_t *at, uintptr_t site);

#pragma GCC visibility pop

#endif
