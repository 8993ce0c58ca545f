/* What annotations ask of the scheduler; each is called with rt_on() only. */
#ifndef HEDDLE_RT_SCHED_SECTION_H
#define HEDDLE_RT_SCHED_SECTION_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void rt_atomic_begin(uintptr_t site);
void rt_atomic_end(uintptr_t site);
void rt_yield(uintptr_t site);
void rt_yield_kernel(uintptr_t site); /* ... by a system call */
void rt_preempt(uintptr_t site);
void rt_ignore(int delta); /* +1, -1: accesses are ignored while the sum is positive */

#pragma GCC visibility pop

#endif
