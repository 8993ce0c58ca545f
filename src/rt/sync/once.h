/* Initialisers that run once. */
#ifndef HEDDLE_RT_SYNC_ONCE_H
#define HEDDLE_RT_SYNC_ONCE_H

#include <pthread.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Runs init() unless it was run, or is being run: then waits. */
void once_run(pthread_once_t *once, void (*init)(void), uintptr_t site);

#pragma GCC visibility pop

#endif
