/* Questions that the schedule answers. */
#ifndef HEDDLE_RT_SCHED_CHOICE_H
#define HEDDLE_RT_SCHED_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The schedule's choice of a value from 0 to count - 1; in the tail 0, or a random one. */
uint32_t op_choice(uint32_t count);
/* The same for values that are a list: `after` gives the one after a value, 0: there is none. */
uint32_t op_choice_of(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg);

/* Asks the schedule for a number below n, as a decision of its own. */
uint32_t rt_choose(uint32_t n, uintptr_t site);
/* --fail-malloc: is this allocation to fail? */
bool rt_malloc_fails(uintptr_t site);

#pragma GCC visibility pop

#endif
