/* What condition variables need of mutexes. */
#ifndef HEDDLE_RT_MUTEX_H
#define HEDDLE_RT_MUTEX_H

#include "rt/core.h"

#pragma GCC visibility push(hidden)
struct object *mutex_object(const void *m);
void mutex_acquire(struct thread *t, struct object *o);
void mutex_release(struct thread *t, struct object *o);
#pragma GCC visibility pop

#endif
