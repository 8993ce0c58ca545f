/* The stack of dpor in a stream: for checkpoints, and to hand it to another explorer. */
#ifndef HEDDLE_EXPLORE_DPOR_STATE_H
#define HEDDLE_EXPLORE_DPOR_STATE_H

#include "explore/strategy.h"

/* The save and load of strategy_ops. */
void dpor_save(const struct strategy *base, struct stream *out);
int dpor_load(struct strategy *base, struct stream *in);

struct dpor;

/* The same for the first n nodes of a stack, the transition of the last one included. */
void dpor_save_upto(const struct dpor *d, uint32_t n, struct stream *out);

/* Are these accesses such as a trace may have? */
bool dpor_accesses_valid(const struct wire_access *a, uint32_t n);

#endif
