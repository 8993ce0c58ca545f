/* The handles of threads. */
#ifndef HEDDLE_RT_THREAD_HANDLE_H
#define HEDDLE_RT_THREAD_HANDLE_H

#include <pthread.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The thread of a handle, NULL: there is none in this execution. */
struct thread *thread_by_handle(pthread_t handle);
/* The handle of n was last good for this operation. */
void thread_handle_used(struct thread *t, struct thread *n, uint32_t op, uintptr_t site);

#pragma GCC visibility pop

#endif
