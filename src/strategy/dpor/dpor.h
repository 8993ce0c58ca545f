/* Source-set DPOR: the strategy `dpor`. */
#ifndef HEDDLE_STRATEGY_DPOR_DPOR_H
#define HEDDLE_STRATEGY_DPOR_DPOR_H

#include "strategy/strategy.h"

struct strategy *dpor_create(void); /* NULL: out of memory */
/* All executions that begin with these n decisions, which must stay where they are. */
struct strategy *dpor_create_from(const struct wire_decision *root, uint32_t n);

#endif
