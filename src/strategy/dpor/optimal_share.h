/* Sharing the work of optimal.c among explorers. */
#ifndef HEDDLE_STRATEGY_DPOR_OPTIMAL_SHARE_H
#define HEDDLE_STRATEGY_DPOR_OPTIMAL_SHARE_H

#include "strategy/dpor/optimal_state.h"
#include "strategy/share.h"

extern const struct share_ops optimal_share;

/* A race of the common node i with an operation of the actor: `list` was added to the tree behind the steps in `way`.
 * `pending`: the operation, if it did not run. */
void optimal_report_race(struct optimal *o, uint32_t i, uint32_t actor, const uint32_t *past,
                         const struct wire_access *pending, uint32_t list);
/* The actor of this step must go first from common node i, too. */
void optimal_report_open(struct optimal *o, uint32_t i, uint32_t step);

#endif
