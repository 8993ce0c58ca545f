/* How optimal.c reverses a race. */
#ifndef HEDDLE_STRATEGY_DPOR_REVERSAL_H
#define HEDDLE_STRATEGY_DPOR_REVERSAL_H

#include "strategy/dpor/optimal_state.h"

/* Makes sure that the reversal of a race is run, if it has not been, and sets its `upto`.  false: out of memory. */
bool reversal_found(struct optimal *o, struct optimal_race *r);
/* The same for transition i and the operation that the actor did not run (causality.pending). */
bool reversal_blocked(struct optimal *o, uint32_t i, uint32_t actor, const uint32_t *past);

#endif
