/*
 * Failures of weak memory in words: which stores waited in a store buffer, and who could tell.
 */
#ifndef HEDDLE_REPORT_BUFFERED_H
#define HEDDLE_REPORT_BUFFERED_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "trace/delays.h"
#include "trace/symbols.h"

/* "T2 reads x = 0 (sb.c:6, step 6): T1's x = 1 (sb.c:5, step 2) is still in T1's store buffer and reaches memory at step 10";
 * one such sentence for each of the last few.  false: no store waited so that it mattered, and nothing is written. */
bool buffered_tell(struct strbuf *b, struct symbols *s, const struct delays *d);

/* The fences that forbid what buffered_tell() tells.  false: there is none to name. */
bool buffered_fences(struct strbuf *b, struct symbols *s, const struct delays *d);

#endif
