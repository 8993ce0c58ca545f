/*
 * Threads that wait for others: on condition variables, at barriers, in queues for locks and semaphores, on futexes.
 *
 * A cell of each thread says what it waits for.  Signals, and the last arrival at a barrier, change the cells of others and may
 * have several alternatives, which no thread can tell: choices of the step.
 */
#ifndef HEDDLE_STRATEGY_MCR_WAIT_WAITS_H
#define HEDDLE_STRATEGY_MCR_WAIT_WAITS_H

#include "strategy/mcr/objects.h"
#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"

/* Is it an operation of this file? */
bool waits_known(uint32_t op);

/* Is the thread in a wait on a condition variable, at the node that follows it? */
bool waits_sleeps(const struct tries *t, const uint64_t *now, uint32_t at);
/* A wait with a deadline on a condition variable that no other thread uses times out without an entry: the thread takes the mutex
 * next, and has left the waiters before. */
void waits_leave(const struct tries *t, const uint64_t *now, uint32_t at, waiters_set *set, void *arg);

/* May the thread perform the operation at this node? */
bool waits_enabled(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);

/* How many alternatives a thread's operation at this node has, at least 1, and the choice value of the k-th. */
uint32_t waits_choices(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);
uint32_t waits_choice(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t k);

/* What the thread can tell. */
uint64_t waits_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);

/* Performs the operation, which leads to a child of its node. */
void waits_do(const struct tries *t, const uint64_t *now, const struct node *n, const struct node *child,
              uint32_t thread, uint32_t choice, waiters_set *set, void *arg);

#endif
