/* Threads as the files of their calls share them. */
#ifndef HEDDLE_RT_THREAD_THREAD_H
#define HEDDLE_RT_THREAD_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* pthread_create, and with c11 thrd_create, whose start function returns an int. */
int thread_create(struct thread *t, pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                  bool c11, uintptr_t site);

void thread_main_init(void);

/* Has another thread been started that was not joined? */
bool thread_has_others(const struct thread *t);

/* The running thread ends: its destructors run, and it does not come back. */
_Noreturn void thread_end(struct thread *t);

/* pthread_exit: the stack is unwound first, so that destructors and cleanup handlers run. */
_Noreturn void thread_exit(struct thread *t, void *value);

#pragma GCC visibility pop

#endif
