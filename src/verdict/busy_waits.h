/* What is not a failure but worth a look: threads that wait for others in loops, transactions that never commit. */
#ifndef HEDDLE_VERDICT_BUSY_WAITS_H
#define HEDDLE_VERDICT_BUSY_WAITS_H

#include "trace/trace.h"
#include "verdict/result.h"

/* Looks at the trace of an execution; the places go into the result. */
void hints_look(struct result *r, const struct trace *t);

/* A place where a thread waits for another one in a loop. */
void hints_busy(struct result *r, uint64_t site);

void hints_add(struct result_sites *s, uint64_t site);

/* The i-th transaction that began and did not commit in any execution; 0: there are fewer, or not everything was explored. */
uint64_t hints_uncommitted(const struct result *r, uint32_t i);

#endif
