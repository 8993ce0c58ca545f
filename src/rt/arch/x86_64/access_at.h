/*
 * __heddle_access_at: what instrumented code calls from between two instructions where an access needs the runtime
 * (instrument/compact.h, wire/inline.h).  Registers are in the order of their numbers.
 */
#ifndef HEDDLE_RT_ARCH_X86_64_ACCESS_AT_H
#define HEDDLE_RT_ARCH_X86_64_ACCESS_AT_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void access_at(uint64_t *reg);

#pragma GCC visibility pop

#endif
