/* Depth-first search over all schedules: the strategy `dfs`. */
#ifndef HEDDLE_STRATEGY_DFS_H
#define HEDDLE_STRATEGY_DFS_H

#include "strategy/bound.h"
#include "strategy/strategy.h"

/* bound: at most so many preemptions, or BOUND_NONE.  NULL: out of memory. */
struct strategy *dfs_create(uint32_t bound);

#endif
