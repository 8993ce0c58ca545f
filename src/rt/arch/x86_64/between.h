/* What the code between two calls of hooks does. */
#ifndef HEDDLE_RT_ARCH_X86_64_BETWEEN_H
#define HEDDLE_RT_ARCH_X86_64_BETWEEN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Is there surely an instruction in [from, to) that stores to memory?  Of an instruction that is not known: no. */
bool code_stores(uintptr_t from, uintptr_t to);

/* Is there surely one from there on, before the next call or jump?  `frame`: memory of the frame counts. */
bool code_stores_next(uintptr_t from, bool frame);

#pragma GCC visibility pop

#endif
