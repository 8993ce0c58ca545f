/* Optimal DPOR: the strategy `optimal`. */
#ifndef HEDDLE_STRATEGY_DPOR_OPTIMAL_H
#define HEDDLE_STRATEGY_DPOR_OPTIMAL_H

#include "strategy/strategy.h"

/* blocks: a transition is all that a thread does between two points, with branches in it.  NULL: out of memory. */
struct strategy *optimal_create(bool blocks);

/* Where blocks are possible it takes each for one operation until it sees another: then learn() says -EAGAIN, and all begins
 * again.  For one explorer. */
struct strategy *optimal_create_alone(bool blocks);

#endif
