/*
 * Threads that poll descriptors, or wait for signals (rt/io/poll.c).
 *
 * A poll looks at its channels in one transition, an entry each.  Where nothing is ready it waits until one of them is used, and
 * looks again: a node of its own (`value` is 1).  The thread's cell in waiters.h says that it may: WAITERS_LEFT.
 */
#ifndef HEDDLE_STRATEGY_MCR_WAIT_POLLS_H
#define HEDDLE_STRATEGY_MCR_WAIT_POLLS_H

#include "strategy/mcr/wait/waiters.h"

/* Does a thread that is at this node wait in a poll?  If so, it looks again: *is becomes the operation. */
bool polls_again(const struct tries *t, uint32_t at, struct node *is);
/* May a thread look at this node? */
bool polls_enabled(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);
/* A thread has performed the operation of a node, whatever it is. */
void polls_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, waiters_set *set,
              void *arg);

#endif
