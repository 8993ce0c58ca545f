/* The tree of dpor, for estimates. */
#ifndef HEDDLE_STRATEGY_DPOR_DPOR_TREE_H
#define HEDDLE_STRATEGY_DPOR_DPOR_TREE_H

#include "strategy/strategy.h"

extern const struct tree_ops dpor_tree;

#endif
