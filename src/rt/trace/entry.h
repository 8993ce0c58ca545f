/* Entries of the trace. */
#ifndef HEDDLE_RT_TRACE_ENTRY_H
#define HEDDLE_RT_TRACE_ENTRY_H

#include <stdint.h>

struct thread;
struct wire_event;

#pragma GCC visibility push(hidden)

/* Writes one; never NULL.  It has the site of the thread's pending operation. */
struct wire_event *entry_add(struct thread *t, uint32_t flags, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                             uint64_t value);

/* WIRE_DETAIL: the value of the thread's last plain store, which is in memory by now. */
void op_note_store(struct thread *t);

#pragma GCC visibility pop

#endif
