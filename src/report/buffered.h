/*
 * Failures of weak memory in words: which stores waited in a store buffer, and which thread observed it.
 */
#ifndef HEDDLE_REPORT_BUFFERED_H
#define HEDDLE_REPORT_BUFFERED_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "trace/store_delays.h"
#include "binary/symbols.h"

/* "T2 reads x = 0 (sb.c:6, step 6): T1's x = 1 (sb.c:5, step 2) is still in T1's store buffer and reaches memory at step 10";
 * one such sentence for each of these stores. */
void buffered_tell(struct strbuf *b, struct symbols *s, const struct delays *d, const uint32_t *stores, uint32_t n);

/* The last few stores that their own thread overtook and that another thread missed.  false: there are none. */
#define BUFFERED_MAX 3u
bool buffered_overtaken(const struct delays *d, uint32_t stores[BUFFERED_MAX], uint32_t *n);

/* The weakest order that forbids it: release order where another store of the thread published it, else a full fence.
 * false: there is none to name. */
bool buffered_fences(struct strbuf *b, struct symbols *s, const struct delays *d, const uint32_t *stores, uint32_t n);

#endif
