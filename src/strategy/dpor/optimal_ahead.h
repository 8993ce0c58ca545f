/* For the `ahead` of strategy_ops. */
#ifndef HEDDLE_STRATEGY_DPOR_OPTIMAL_AHEAD_H
#define HEDDLE_STRATEGY_DPOR_OPTIMAL_AHEAD_H

#include "strategy/dpor/optimal_state.h"

uint32_t optimal_ahead(const struct strategy *base, uint32_t before, struct wire_ahead *out);

#endif
