/*
 * Which threads wait for an object.  Values of a thread's cell: 0; the object's cell, with a ticket where the order matters; or that the
 * thread has left a barrier, or was woken by a signal.
 */
#ifndef HEDDLE_STRATEGY_MCR_WAIT_WAITERS_H
#define HEDDLE_STRATEGY_MCR_WAIT_WAITERS_H

#include "strategy/mcr/tries.h"

#define WAITERS_LEFT        2u
#define WAITERS_LEFT_SERIAL 3u
#define WAITERS_SIGNALLED   4u /* a signal has woken the thread, which may be cancelled yet */

/* Changes a cell. */
typedef void waiters_set(void *arg, uint32_t cell, uint64_t value);

/* The cell of a thread, made if it is not there. */
uint32_t waiters_make(struct tries *t, uint32_t thread);
/* ... 0: it never waits. */
uint32_t waiters_cell(const struct tries *t, uint32_t thread);
/* The wait that a thread comes back from at this node, or NULL. */
const struct node *waiters_before(const struct tries *t, uint32_t at);
/* Has a thread that comes back from a wait been woken? */
bool waiters_over(const struct tries *t, const uint64_t *now, uint32_t thread);
/* The value of one that a signal wakes. */
uint64_t waiters_signalled(const struct tries *t, uint32_t thread);
/* The value for one with this priority that waits for the object, after all that do so now. */
uint64_t waiters_last(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t rank);
/* Does the thread wait for the object? */
bool waiters_has(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread);
/* The first waiter from this thread on, as a choice value; 0: none. */
uint32_t waiters_from(const struct tries *t, const uint64_t *now, uint32_t object, uint32_t thread);

/* Does --wakeup order those that wait for the object of an operation? */
bool waiters_ordered(const struct tries *t, uint32_t op);
/* ... by the priorities of threads? */
bool waiters_ranked(const struct tries *t, uint32_t op);
/* Which of them is next, apart from this thread, as a choice value; 0: none. */
uint32_t waiters_next(const struct tries *t, const uint64_t *now, uint32_t op, uint32_t object, uint32_t except);
/* ... once this thread, with this priority, has joined them. */
uint32_t waiters_next_with(const struct tries *t, const uint64_t *now, uint32_t op, uint32_t object, uint32_t thread,
                           uint32_t rank);

#endif
