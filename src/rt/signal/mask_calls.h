/* Calls that wait with another signal mask. */
#ifndef HEDDLE_RT_SIGNAL_MASK_CALLS_H
#define HEDDLE_RT_SIGNAL_MASK_CALLS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The running thread takes another mask. */
void mask_swap(const sigset_t *set, sigset_t *old, uintptr_t site);
/* ... while it polls, in one step with the wait; false: it does not. */
bool mask_lend(const sigset_t *set, sigset_t *old, uintptr_t site);
void mask_take_back(const sigset_t *old, uintptr_t site);
/* A handler begins that the running thread starts by itself: it blocks signals. */
void mask_handler(uintptr_t site);
/* The running thread waits for these signals: from now on those that it does not block do not end it either. */
void mask_await(uint64_t set, uintptr_t site);
/* The running thread is about to sleep: how much of it is left when a signal ends it, 0: none does. */
uint64_t signal_sleep(struct thread *t, uint64_t ns, uintptr_t site);

#pragma GCC visibility pop

#endif
