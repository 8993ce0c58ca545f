/* Questions that the schedule answers. */
#ifndef HEDDLE_RT_SCHED_CHOICE_H
#define HEDDLE_RT_SCHED_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/tail.h"

#pragma GCC visibility push(hidden)

/* Asks the schedule for a number below n, as a decision of its own. */
uint32_t rt_choose(uint32_t n, uintptr_t site);
/* --fail-malloc: is this allocation to fail? */
bool rt_malloc_fails(uintptr_t site);

#pragma GCC visibility pop

#endif
