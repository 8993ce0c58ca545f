/*
 * Rounds without effect that are accesses to lines of transactions: they may make these abort.
 */
#ifndef HEDDLE_RT_LOOPS_SPARE_H
#define HEDDLE_RT_LOOPS_SPARE_H

#include "rt/rt.h"

struct cut;
struct visit;

#pragma GCC visibility push(hidden)

/* How many rounds like the one since the visit a thread makes before it stops after one more. */
uint32_t spare_rounds(const struct cut *c, const struct visit *v);

/* No thread can continue: if there were too few, the exploration restarts with one more. */
void spare_look(void);

#pragma GCC visibility pop

#endif
