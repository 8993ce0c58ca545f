/* Checks of accesses to memory that is not there. */
#ifndef HEDDLE_RT_MEMORY_MEMCHECK_H
#define HEDDLE_RT_MEMORY_MEMCHECK_H

#include <stddef.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* memory.c's and the compiler's accesses: stops the running thread if this memory is not to be touched. */
void memory_check(struct thread *t, uint32_t op, uintptr_t addr, size_t size, uintptr_t site);
/* Weak memory: before a store that goes to the buffer, or whose turn may not have come: is there memory? */
void memory_check_place(struct thread *t, uint32_t op, uintptr_t addr, size_t size, uintptr_t site);
/* ... a store of the buffer reaches memory there: was that freed meanwhile?  Stops no thread. */
void memory_check_flush(struct thread *b, uintptr_t addr, size_t size);

#pragma GCC visibility pop

#endif
