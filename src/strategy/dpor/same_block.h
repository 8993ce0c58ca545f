/* Transitions that are blocks: where a thread is preempted at few places, the branches of what lies between may differ. */
#ifndef HEDDLE_STRATEGY_DPOR_SAME_BLOCK_H
#define HEDDLE_STRATEGY_DPOR_SAME_BLOCK_H

#include "strategy/dpor/optimal_state.h"

/* Would transition j be the same without i, which comes before it, and what depends on i? */
bool same_block(const struct optimal *o, uint32_t i, uint32_t j);

#endif
