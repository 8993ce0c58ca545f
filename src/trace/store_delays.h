/*
 * Stores that wait in a store buffer (weak memory): with which entry each reaches memory, and which thread observes that it
 * waited.
 *
 * A store waits from its own entry (WIRE_WEAK_BUFFERED) to the entry of its buffer that brings it to memory, or to the end of
 * the trace.  Another thread can tell if it touches the same bytes in between: it reads an older value, or what it writes is
 * overwritten by what was stored earlier.  Where none does, the store might as well have reached memory immediately.
 */
#ifndef HEDDLE_TRACE_STORE_DELAYS_H
#define HEDDLE_TRACE_STORE_DELAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

#define DELAYS_NONE UINT32_MAX

struct delays {
        const struct trace *t;
        struct delay *of; /* of each entry; NULL: no store of this trace waits */
};

/* What is known of one entry; DELAYS_NONE where there is nothing. */
struct delay {
        uint32_t
                pair; /* a store that waits: the entry with which it reaches memory; that one, and a load of what the own thread
                        * stored: the store */
        uint32_t
                past; /* a store: the first entry of another thread that can tell; an entry that can: the newest such store */
        uint32_t
                own; /* a store: the first entry of its own thread that took effect before it, though it comes later: a read,
                        * or a later store that reaches memory */
};

/* 0, or -1 when out of memory: nothing is known then. */
int delays_init(struct delays *d, const struct trace *t);
void delays_fini(struct delays *d);

/* Entry i; all DELAYS_NONE where nothing waits. */
struct delay delays_of(const struct delays *d, uint32_t i);

/* Is it a store that waits, one that reaches memory at last, or a load of such a store, and no thread observes it? */
bool delays_hidden(const struct delays *d, uint32_t i);

#endif
