/* The strategy `filters`. */
#ifndef HEDDLE_STRATEGY_STATES_FILTERS_H
#define HEDDLE_STRATEGY_STATES_FILTERS_H

#include "config/config.h"
#include "strategy/strategy.h"

/* config->filters holds names that filter_find() knows, at most 8; none: seen.  concrete: `seen` alone, and two states are the
 * same if the target says so (trace->hashes). */
struct strategy *filters_create(const struct config *config, bool blocks, bool concrete);

#endif
