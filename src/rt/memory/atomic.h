/* Atomic operations. */
#ifndef HEDDLE_RT_MEMORY_ATOMIC_H
#define HEDDLE_RT_MEMORY_ATOMIC_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* An atomic load, store or update (OP_LOAD, OP_STORE, OP_RMW) of the running thread that the caller is about to make, before
 * anything else can happen. */
void atomic_announce(uint32_t op, uintptr_t addr, uint32_t size, int mo);

#pragma GCC visibility pop

#endif
