/*
 * System calls inside a transaction abort it.  Those that the runtime knows do so at their hook; all others, such as those that libc
 * makes in calls without effects, raise SIGSYS by the kernel's syscall user dispatch.
 */
#ifndef HEDDLE_RT_TXN_GUARD_H
#define HEDDLE_RT_TXN_GUARD_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

extern volatile char guard_blocks; /* read by the kernel; 1: only the runtime may call the kernel */

void guard_begin(void);

static inline void guard_end(void)
{
        guard_blocks = 0;
}

/* A SIGSYS, with its siginfo_t and ucontext_t: was it raised for a call that a transaction makes?  Does not return for the way back from
 * a signal handler, which is not such a call. */
bool guard_caught(const void *info, void *context);

#pragma GCC visibility pop

#endif
