/*
 * Threads that wait for others: on condition variables and at barriers.
 *
 * A cell of each thread says what it waits for.  Signals, and the last arrival at a barrier, change the cells of others and may
 * have several alternatives, which no thread can tell: choices of the step.
 */
#ifndef HEDDLE_STRATEGY_MCR_WAITS_H
#define HEDDLE_STRATEGY_MCR_WAITS_H

#include "strategy/mcr/objects.h"
#include "strategy/mcr/tries.h"

/* Is it an operation of this file? */
bool waits_known(uint32_t op);

/* How many alternatives a thread's operation at this node has, at least 1, and the choice value of the k-th. */
uint32_t waits_choices(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);
uint32_t waits_choice(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t k);

/* Has a thread that comes back from a wait been woken? */
bool waits_over(const struct tries *t, const uint64_t *now, uint32_t thread);

/* What the thread can tell. */
uint64_t waits_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);

/* Performs the operation: `set` changes a cell. */
void waits_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, uint32_t choice,
              void (*set)(void *arg, uint32_t cell, uint64_t value), void *arg);

/* The cell of the thread, made if it is not there. */
uint32_t waits_cell(struct tries *t, uint32_t thread);

#endif
