/* The distinct outcomes of --observe. */
#ifndef HEDDLE_VERDICT_OUTCOME_H
#define HEDDLE_VERDICT_OUTCOME_H

#include "program/program.h"
#include "verdict/result.h"

/* The outcome with these values (n_observed of them); a new one has no executions and no schedule yet.  Valid until the
 * next call; NULL when out of memory. */
struct outcome *outcome_get(struct result *r, const uint64_t *values);

/* Counts the outcome of an execution, if it has one.  RUN_OK, or ERROR_FAIL: out of memory. */
MUST_CHECK int outcome_note(struct result *r, const struct program *p, const struct trace *t);

#endif
