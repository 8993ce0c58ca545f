/* Bounded search: the strategy `icb`, and what --bound makes of others. */
#ifndef HEDDLE_STRATEGY_DPOR_BOUNDED_H
#define HEDDLE_STRATEGY_DPOR_BOUNDED_H

#include "strategy/bound.h"
#include "strategy/strategy.h"

struct config;

/* At most `first` preemptions, then one more, up to `last`.  unreduced: as below.  NULL: out of memory. */
struct strategy *bounded_create(uint32_t first, uint32_t last, bool unreduced);
/* From 0 preemptions on, from 2 on in steps of two: all that is within a bound is run again for the next one. */
struct strategy *bounded_create_quick(bool unreduced);

/* Must the search run without reduction?  Yes where transitions are blocks, or stores wait in buffers. */
bool bounded_unreduced(const struct config *config, bool blocks);

#endif
