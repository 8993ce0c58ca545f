/* The locks of stdio's streams: see stream.c. */
#ifndef HEDDLE_RT_CALLS_STREAM_H
#define HEDDLE_RT_CALLS_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct effect;
struct thread;

#pragma GCC visibility push(hidden)

/* The running thread is about to call a function that takes the lock of this stream (a FILE) for its duration. */
void stream_use(struct thread *t, const void *file, bool reads, uintptr_t site);
/* What a call does to the contents of the stream's file; false: nothing.  What waits in a buffer may be written by any. */
bool stream_contents(const void *file, bool reads, struct effect *e);
/* ... and that asks where it is written or read, or sets that. */
void stream_move(struct thread *t, const void *file, uintptr_t site);
/* --outputs on: the state (effect.h) that every write to the stream changes. */
uint32_t stream_state(const void *file);
/* ... and that takes no lock: not covered unless the thread has taken it, or is alone. */
void stream_unlocked(struct thread *t, const void *file, const char *name);

#pragma GCC visibility pop

#endif
