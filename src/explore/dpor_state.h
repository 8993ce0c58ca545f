/* The stack of dpor in a stream: for checkpoints, and to hand it to another explorer. */
#ifndef HEDDLE_EXPLORE_DPOR_STATE_H
#define HEDDLE_EXPLORE_DPOR_STATE_H

#include "explore/strategy.h"

/* The save and load of strategy_ops. */
void dpor_save(const struct strategy *base, struct stream *out);
int dpor_load(struct strategy *base, struct stream *in);

#endif
