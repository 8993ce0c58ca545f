/* What others need of mutexes. */
#ifndef HEDDLE_RT_MUTEX_H
#define HEDDLE_RT_MUTEX_H

#include <pthread.h>

#include "rt/core.h"

#pragma GCC visibility push(hidden)
struct object *mutex_object(const void *m);
void mutex_acquire(struct thread *t, struct object *o);
void mutex_release(struct thread *t, struct object *o);
/* As pthread_mutex_lock and _trylock, for a caller that has noted the registers of the program. */
int mutex_lock(pthread_mutex_t *m) __attribute__((used));
int mutex_trylock(pthread_mutex_t *m) __attribute__((used));

#pragma GCC visibility pop

#endif
