/* The functions that create strategies, one for each row of strategies.def: each is in its strategy's own file. */
#ifndef HEDDLE_STRATEGY_MAKERS_H
#define HEDDLE_STRATEGY_MAKERS_H

#include "config/config.h"
#include "strategy/strategy.h"

/* Creates a strategy; NULL: out of memory.  blocks: a transition is all that a thread does between two points, with
 * branches in it. */
typedef struct strategy *strategy_maker(const struct config *config, bool blocks);

#define STRATEGY(name, can, make, help) strategy_maker make;
#include "strategy/strategies.def"
#undef STRATEGY

/* A search over states, with the probes of portfolio_make. */
strategy_maker portfolio_make_states;

/* Is everything wanted, not the first failure soon?  Then there are no probes.  With --keep-going the first failure is looked
 * for as without it: what is found within a limit is found with it, too. */
static inline bool maker_wants_all(const struct config *config)
{
        return config->n_observe || config->capture;
}

#endif
