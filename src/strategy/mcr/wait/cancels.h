/*
 * Threads that others ask to end.
 *
 * A cell of each thread says whether it was asked.  An operation that is a cancellation point (NODE_CANCELS) has two results: what it
 * returns if the thread was not asked, and TRIES_CANCELLED.  The latter needs nothing of what the operation waits for, but for a wait on
 * a condition variable, whose mutex the thread takes again first.  A signal that had woken the thread goes to another waiter then.
 */
#ifndef HEDDLE_STRATEGY_MCR_WAIT_CANCELS_H
#define HEDDLE_STRATEGY_MCR_WAIT_CANCELS_H

#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"
#include "trace/trace.h"

/* The cell of a thread, made if it is not there. */
uint32_t cancels_cell(struct tries *t, uint32_t thread);
/* Those of all threads that are asked in an execution, or look whether they are.  false: there are none. */
bool cancels_find(struct tries *t, const struct trace *trace, uint32_t n_entries);

/* Was the thread asked to end? */
bool cancels_asked(const struct tries *t, const uint64_t *now, uint32_t thread);
/* ... and does it at this node? */
bool cancels_now(const struct tries *t, const uint64_t *now, uint32_t at);
/* Does it take a mutex first, or leave a wait with a deadline, as it would do otherwise? */
bool cancels_late(const struct node *n);
/* The result of such an operation, with that. */
uint64_t cancels_result(const struct tries *t, const uint64_t *now, uint32_t at, uint64_t result);

/* To whom the signal goes that had woken the thread, when it takes its mutex at this node: how many alternatives, at least 1, and the
 * choice value of the k-th. */
uint32_t cancels_choices(const struct tries *t, const uint64_t *now, uint32_t at);
uint32_t cancels_choice(const struct tries *t, const uint64_t *now, uint32_t at, uint32_t k);
/* It takes the mutex there: it waits no longer. */
void cancels_leave(const struct tries *t, const uint64_t *now, uint32_t at, uint32_t choice, waiters_set *set,
                   void *arg);

/* Entries: does the thread end by this one?  Is the one after it a look at whether it was asked?  Does it belong to the one before? */
bool cancels_entry(const struct trace *trace, uint32_t i);
bool cancels_passed(const struct trace *trace, uint32_t i);
bool cancels_part(const struct trace *trace, uint32_t i);

#endif
