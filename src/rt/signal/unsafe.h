/*
 * Calls that are not async-signal-safe: those of the heap, and those on a stream.
 *
 * A handler that makes one while its thread is inside another on the same heap or stream finds it half changed, which is a failure.  So such a
 * call is a place where handlers run, once a handler is known to make one.
 */
#ifndef HEDDLE_RT_SIGNAL_UNSAFE_H
#define HEDDLE_RT_SIGNAL_UNSAFE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/rt.h"
#include "rt/world/program_handler.h"

struct thread;

#pragma GCC visibility push(hidden)

void unsafe_enter_slow(struct thread *t, const void *stream, uintptr_t site);

#pragma GCC visibility pop

/* The thread enters a call of the heap (NULL), or one on this stream. */
static inline void unsafe_enter(struct thread *t, const void *stream, uintptr_t site)
{
        if (RT_UNLIKELY(program_handler_any) && t && rt.live)
                unsafe_enter_slow(t, stream, site);
}

#endif
