/* Accesses to words that the explorer watches. */
#ifndef HEDDLE_RT_ARCH_X86_64_WATCHPOINT_H
#define HEDDLE_RT_ARCH_X86_64_WATCHPOINT_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Was this SIGTRAP, with its siginfo_t and ucontext_t, raised by a debug register?  Then the instruction is noted. */
bool watchpoint_hit(const void *info, const void *context);

#pragma GCC visibility pop

#endif
