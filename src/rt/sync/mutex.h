/* What others need of mutexes. */
#ifndef HEDDLE_RT_SYNC_MUTEX_H
#define HEDDLE_RT_SYNC_MUTEX_H

#include <pthread.h>
#include <stdint.h>

struct object;
struct thread;

#pragma GCC visibility push(hidden)

struct object *mutex_object(const void *m);
/* A wait releases the mutex, and takes it again once the thread was woken: the error that the wait returns. */
void mutex_release(struct thread *t, struct object *o);
int mutex_relock(struct thread *t, struct object *o, uintptr_t site);
/* The same for a thread that has written the entry of the relock already. */
int mutex_relocked(struct thread *t, struct object *o);
/* The operation by which it comes back: OP_MUTEX_RELOCK or, under a policy, OP_MUTEX_REQUEUE. */
uint32_t mutex_relock_op(const struct object *o);
/* It does not hold the mutex that it should: EPERM where the mutex says so, else a misuse. */
int mutex_not_held(struct thread *t, struct object *o, const char *text);
/* The thread ends: the robust mutexes that it holds are free, and the next owner is notified. */
void mutex_thread_ends(struct thread *t, uintptr_t site);
/* As pthread_mutex_lock and _trylock, for a caller that has noted the registers of the program. */
int mutex_lock(pthread_mutex_t *m) __attribute__((used));
int mutex_trylock(pthread_mutex_t *m) __attribute__((used));
int mutex_unlock(pthread_mutex_t *m) __attribute__((used));

#pragma GCC visibility pop

#endif
