/* Leaks in the executions of an exploration. */
#ifndef HEDDLE_VERDICT_LEAK_TABLE_H
#define HEDDLE_VERDICT_LEAK_TABLE_H

#include "base/error.h"
#include "trace/trace.h"
#include "verdict/result.h"

/* Brings the table up to date with a trace.  0, or -1: out of memory. */
MUST_CHECK int leaks_note(struct result *r, const struct trace *t);

/* The k-th leak of a trace as a failure of it.  False: there are no more. */
bool leaks_failure(const struct trace *t, uint32_t k, struct wire_failure *f);

/* Is that leak a failure as far as is known: `all` are (--leaks all), or another execution ended with less? */
bool leaks_fails(const struct result *r, bool all, const struct wire_failure *f);

/* The entry of the table for such blocks, or NULL. */
struct leak *leaks_find(const struct result *r, const struct wire_block *b);

/* Is there one that will be kept, as a failure or until it is one?  It is worth running once more in detail. */
bool leaks_fresh(const struct result *r, bool all, const struct trace *t);

/* Makes failures of the held findings whose executions lost more than others, and counts the executions that fail: all
 * that lose something, or those that lose more than the least.  0, or -1: out of memory. */
MUST_CHECK int leaks_settle(struct result *r);
/* Executions that fail by such a leak: at the place where most do, so at least so many. */
uint64_t leaks_executions(const struct result *r, bool all);

#endif
