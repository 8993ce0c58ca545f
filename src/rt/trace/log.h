/* The entries of operations. */
#ifndef HEDDLE_RT_TRACE_LOG_H
#define HEDDLE_RT_TRACE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/arrival.h"

struct thread;
struct wire_event;

#pragma GCC visibility push(hidden)

/* Writes the entry of the pending operation (after the outcome is known, before the effect is visible to others); never
 * NULL. */
struct wire_event *op_log(struct thread *t, enum arrival how, uint32_t mode, uint64_t value);
/* One more entry of the same transition. */
struct wire_event *op_also(struct thread *t, enum arrival how, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                           uint64_t value);

#pragma GCC visibility pop

#endif
