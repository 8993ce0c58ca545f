/* The locks of stdio's streams: see stream.c. */
#ifndef HEDDLE_RT_CALLS_STREAM_H
#define HEDDLE_RT_CALLS_STREAM_H

#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The running thread is about to call a function that takes the lock of this stream (a FILE) for its duration. */
void stream_use(struct thread *t, const void *file, uintptr_t site);

#pragma GCC visibility pop

#endif
