/* Accesses to memory that is not there, where the program has a handler for them. */
#ifndef HEDDLE_RT_WORLD_ACCESS_FAULT_H
#define HEDDLE_RT_WORLD_ACCESS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

extern bool signal_faults; /* it has one; signal_state.c sets it */
/* Is this such an access? */
bool signal_will_fault(uintptr_t addr);

#pragma GCC visibility pop

#endif
