/* Loads of a thread with stores in its buffer: from where their bytes come. */
#ifndef HEDDLE_RT_WEAK_LOAD_H
#define HEDDLE_RT_WEAK_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* A load: the mode of its entry, WIRE_MODE_NONE if something of it comes from the own buffer; and the further entries that
 * say from where its bytes come. */
uint32_t weak_read_mode(const struct thread *t, uintptr_t addr, uint32_t size);
void weak_forward(struct thread *t, uintptr_t addr, uint32_t size);
/* Do all these bytes wait in the thread's buffer? */
bool weak_covers(const struct thread *t, uintptr_t addr, size_t size);

/* What the thread would read there now: up to 8 bytes. */
uint64_t weak_view(const struct thread *t, uintptr_t addr, uint32_t size);

/* How many stores the thread has made so far that were delayed. */
uint32_t weak_serial(const struct thread *t);
/* ... the number of the last one that waits and has some of these bytes, 0: none. */
uint32_t weak_forwards(const struct thread *t, uintptr_t addr, uint32_t size);
/* ... is the store to these bytes that it is at one of them? */
bool weak_is_delayed(const struct thread *t, uintptr_t addr, uint32_t size);

#pragma GCC visibility pop

#endif
