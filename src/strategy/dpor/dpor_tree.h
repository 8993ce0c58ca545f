/* The tree of dpor, for estimates (strategy.h). */
#ifndef HEDDLE_STRATEGY_DPOR_DPOR_TREE_H
#define HEDDLE_STRATEGY_DPOR_DPOR_TREE_H

#include "strategy/strategy.h"

uint32_t dpor_path(const struct strategy *base, uint32_t *branch);
struct estimate_level dpor_level(const void *strategy, uint32_t i);

#endif
