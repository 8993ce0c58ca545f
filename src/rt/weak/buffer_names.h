/*
 * The names of store buffers under pso: a thread and an address that it stores to.  The explorer keeps them, so that a buffer
 * has the same number in all executions; what an execution adds is used from the next one on.
 */
#ifndef HEDDLE_RT_WEAK_BUFFER_NAMES_H
#define HEDDLE_RT_WEAK_BUFFER_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* A run begins: what the explorer knows. */
void weakname_read(void);

/* Has the thread a buffer for this address?  If not, from the next execution on, ... */
bool weakname_known(const struct thread *t, uint64_t addr);

/* ... or never, because there are as many as there can be? */
bool weakname_none_left(const struct thread *t, uint64_t addr);

/* ... which is this one, from 0 on. */
uint32_t weakname_number(const struct thread *t, uint64_t addr);

#pragma GCC visibility pop

#endif
