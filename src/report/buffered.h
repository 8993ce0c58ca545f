/*
 * Failures of weak memory in words: which stores waited in a store buffer, and who could tell.
 */
#ifndef HEDDLE_REPORT_BUFFERED_H
#define HEDDLE_REPORT_BUFFERED_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "trace/store_delays.h"
#include "binary/symbols.h"

/* "T2 reads x = 0 (sb.c:6, step 6): T1's x = 1 (sb.c:5, step 2) is still in T1's store buffer and reaches memory at step 10";
 * one such sentence for each of the last few.  `overtaken`: only of those that their own thread overtook.  false: there are
 * none, and nothing is written. */
bool buffered_tell(struct strbuf *b, struct symbols *s, const struct delays *d, bool overtaken);

/* The fences that forbid the overtaking.  false: there is none to name. */
bool buffered_fences(struct strbuf *b, struct symbols *s, const struct delays *d);

#endif
