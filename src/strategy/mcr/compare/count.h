/* Counts the classes that the executions of another strategy show (--strategy dfs --mcr checked). */
#ifndef HEDDLE_STRATEGY_MCR_COMPARE_COUNT_H
#define HEDDLE_STRATEGY_MCR_COMPARE_COUNT_H

#include "config/config.h"
#include "strategy/strategy.h"

struct count;

/* NULL: out of memory. */
struct count *count_create(const struct config *config);
void count_destroy(struct count *c);
/* Forgets everything: the set of shared addresses has grown. */
void count_reset(struct count *c);
/* An execution of the strategy, recorded with WIRE_VALUES: `value_classes`, or not `counts_values` where it has something that is
 * not modelled. */
void count_add(struct count *c, struct strategy *s, const struct trace *t);

#endif
