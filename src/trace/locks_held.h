/*
 * Which locks each thread holds, entry by entry along a trace.
 */
#ifndef HEDDLE_TRACE_LOCKS_HELD_H
#define HEDDLE_TRACE_LOCKS_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/wire.h"

struct held_lock {
        uint64_t obj;
        uint32_t actor;
        uint32_t op;    /* that took it first */
        uint32_t depth; /* how often it was taken */
        uint32_t entry; /* the one that took it first */
};

struct held {
        VEC(struct held_lock) locks; /* in the order in which they were taken */
};

/* Entry number i happens.  False when out of memory. */
bool held_step(struct held *h, const struct wire_event *e, uint32_t i);
void held_fini(struct held *h);

#endif
