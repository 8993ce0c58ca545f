/* The functions that create strategies, one for each row of strategies.def: each is in its strategy's own file. */
#ifndef HEDDLE_STRATEGY_MAKERS_H
#define HEDDLE_STRATEGY_MAKERS_H

#include "strategy/strategy.h"

struct config;

/* Creates a strategy; NULL: out of memory.  blocks: a transition is all that a thread does between two points, with
 * branches in it. */
typedef struct strategy *strategy_maker(const struct config *config, bool blocks);

#define STRATEGY(name, can, make, help) strategy_maker make;
#include "strategy/strategies.def"
#undef STRATEGY

#endif
