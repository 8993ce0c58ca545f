/* The strategy `deepen`: sets of preemption points, the small ones first. */
#ifndef HEDDLE_STRATEGY_DEEPENING_DEEPEN_H
#define HEDDLE_STRATEGY_DEEPENING_DEEPEN_H

#include "strategy/strategy.h"

/* seconds: the budget that it plans with; 0: none.  looks: at random schedules of that seed, too. */
struct strategy *deepen_create(double seconds, bool looks, uint64_t seed);

#endif
