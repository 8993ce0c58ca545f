/* The handle of a thread: join, detach, and what makes it useless. */
#ifndef HEDDLE_RT_THREAD_JOIN_H
#define HEDDLE_RT_THREAD_JOIN_H

#include <pthread.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

int thread_join(struct thread *t, pthread_t handle, void **value, uintptr_t site);
int thread_detach(struct thread *t, pthread_t handle, uintptr_t site);

#pragma GCC visibility pop

#endif
