/*
 * Programs whose threads read clocks after they have synchronised.
 *
 * Virtual time is joined where threads synchronise, so what a clock shows follows from a thread's own history and from the
 * operations that its operations on objects came after.  In such a program the result of an operation on an object that
 * succeeds tells which one on the object was the last, by the node that followed, as that of a join does.  Then the time follows from
 * the history, and so does all that the thread computes from it.
 *
 * Readers of a read-write lock do not come after each other: their operations tell the last writer, and those of a writer tell that
 * and all readers since.
 */
#ifndef HEDDLE_STRATEGY_MCR_CLOCKED_H
#define HEDDLE_STRATEGY_MCR_CLOCKED_H

#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"

/* Makes the cells of the last operations on an object, if they are needed. */
void clocked_cell(struct tries *t, uint32_t object, uint32_t op);
/* What the operation of a node tells besides its own result. */
uint64_t clocked_result(const struct tries *t, const uint64_t *now, uint32_t at, uint64_t result);
/* The operation of a node has led to the child; choice: which waiter it has woken. */
void clocked_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t child, uint32_t choice,
                waiters_set *set, void *arg);

#endif
