/* The entries of loads and plain stores.  Call them before the access is made. */
#ifndef HEDDLE_RT_MEMORY_ACCESS_ENTRY_H
#define HEDDLE_RT_MEMORY_ACCESS_ENTRY_H

#include <stdint.h>

#include "rt/sched/arrival.h"

struct thread;
struct wire_event;

#pragma GCC visibility push(hidden)

struct wire_event *access_read(struct thread *t, enum arrival how, uintptr_t addr, uint32_t size, uint64_t value);
struct wire_event *access_write(struct thread *t, enum arrival how, uint32_t op, uintptr_t addr, uint32_t size);

/* WIRE_VALUES: the access whose entry is e has more words than one; the others get entries of their own.  Values that are written are
 * noted at the next operation of the thread. */
void access_words(struct thread *t, struct wire_event *e);

#pragma GCC visibility pop

#endif
