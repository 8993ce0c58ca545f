/*
 * Queues for locks and semaphores, where others can tell that a thread waits: under --wakeup, and for read-write locks that
 * prefer readers or writers.
 *
 * To lock is two operations if the thread has to wait: it joins the queue, and it takes the lock in its turn.  The program
 * cannot tell how many they were, so the second leads to where the first one would have led.
 */
#ifndef HEDDLE_STRATEGY_MCR_WAIT_QUEUES_H
#define HEDDLE_STRATEGY_MCR_WAIT_QUEUES_H

#include "strategy/mcr/objects.h"
#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"

/* Does the operation join a queue, unless it need not wait? */
bool queues_enters(uint32_t op);
/* Is what comes next in this node the turn of a thread in a queue? */
bool queues_turn(const struct tries *t, const struct node *n);
/* The node whose children the results of this one lead to. */
uint32_t queues_from(const struct tries *t, uint32_t node);

bool queues_enabled(const uint64_t *now, const struct node *n, uint32_t thread);
uint64_t queues_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);
void queues_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, waiters_set *set,
               void *arg);

#endif
