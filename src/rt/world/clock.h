/* Clocks and sleeping. */
#ifndef HEDDLE_RT_WORLD_CLOCK_H
#define HEDDLE_RT_WORLD_CLOCK_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The running thread sleeps, a cancellation point. */
uint64_t clock_sleep(uint64_t ns, uintptr_t site);

/* What rdtsc reads: virtual time too, in nanoseconds. */
uint64_t clock_ticks(void);

#pragma GCC visibility pop

#endif
