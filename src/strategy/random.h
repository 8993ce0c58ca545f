/* Random schedules: the strategies `random`, `pct` and `pos`, and probes of others. */
#ifndef HEDDLE_STRATEGY_RANDOM_H
#define HEDDLE_STRATEGY_RANDOM_H

#include "strategy/strategy.h"

/* Schedules of this tail policy (enum wire_tail), one seed each, drawn from `seed`; as many as `budget` says, 0: no end.
 * `depth` is that of WIRE_TAIL_PCT.  NULL: out of memory. */
struct strategy *random_create(uint32_t tail, uint64_t seed, uint32_t depth, uint64_t budget);

/* Draws from another seed from now on. */
void random_seed(struct strategy *s, uint64_t seed);

/* To a strategy of WIRE_TAIL_FOCUS: an execution of any strategy, from which it learns the objects to focus on.  0, or out of
 * memory. */
int random_show(struct strategy *s, const struct trace *t);

#endif
