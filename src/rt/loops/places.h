/* Looking points that are not known to be in loops, and how one is found to be. */
#ifndef HEDDLE_RT_LOOPS_PLACES_H
#define HEDDLE_RT_LOOPS_PLACES_H

#include <stdbool.h>

#include "rt/rt.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The thread comes to such a point.  If it may have had no effect since it was here, the execution ends.  true: it was here, and *before
 * entries were made until then. */
bool places_visit(const struct thread *t, uintptr_t site, uint32_t *before);

/* Does the operation take or give back a lock, and nothing else? */
bool places_lock(uint32_t op);

void places_reset(void);

#pragma GCC visibility pop

#endif
