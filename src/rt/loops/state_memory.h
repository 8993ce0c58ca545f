/* The memory that is a part of states as a whole: data of the program's modules, and the heap. */
#ifndef HEDDLE_RT_LOOPS_STATE_MEMORY_H
#define HEDDLE_RT_LOOPS_STATE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* States are about to be remembered: which memory is there?  Data that is too large is omitted, and noted as not covered. */
void state_memory_begin(void);

/* A hash of it.  *heap: is the heap a part of it?  It ceases to be when it becomes too large. */
uint64_t state_memory_hash(bool *heap);

/* A hash of all of it, however large, with what was there before the program had control. */
uint64_t state_memory_all(void);

#pragma GCC visibility pop

#endif
