/* The distinct outcomes of --observe. */
#ifndef HEDDLE_VERDICT_OUTCOME_H
#define HEDDLE_VERDICT_OUTCOME_H

#include "trace/finding.h"

/* The outcome with these values (n_observed of them); a new one has no executions and no schedule yet.  Valid until the
 * next call; NULL when memory is out. */
struct outcome *outcome_get(struct result *r, const uint64_t *values);

/* Forgets all of them. */
void outcome_reset(struct result *r);

#endif
