/* Atomic operations. */
#ifndef HEDDLE_RT_MEMORY_ATOMIC_H
#define HEDDLE_RT_MEMORY_ATOMIC_H

#include <stdint.h>

#include "rt/sched/arrival.h"

struct wire_event;

#pragma GCC visibility push(hidden)

/* An atomic load, store or update (OP_LOAD, OP_STORE, OP_RMW) of the running thread that the caller is about to make, before
 * anything else can happen. */
void atomic_announce(uint32_t op, uintptr_t addr, uint32_t size, int mo);

/* The parts of an atomic operation, for others that perform one: it waits for its turn; then its entry is made, with a mode
 * (WIRE_MODE_*), the value read or written, and flags: the memory order, and WIRE_EV_FAILED. */
enum arrival atomic_arrive(uint32_t op, const volatile void *a, uint32_t size, uintptr_t site);
struct wire_event *atomic_done(enum arrival how, const volatile void *a, uint32_t size, uint32_t mode, uint64_t value,
                               uint32_t flags);
/* The flags of an entry with this memory order (__ATOMIC_*; the hooks use the same numbers). */
uint32_t atomic_order(int mo);

void atomic_fence(int mo);

#pragma GCC visibility pop

#endif
