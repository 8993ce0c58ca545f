/*
 * Objects whose states only the target has: pipes, descriptors, files, handles of threads, states of libc.
 *
 * The result of an operation on such an object is a function of the operations on it before, and of the histories of the
 * threads that have performed them.  Its cell names the last operation that has changed it, by the node that followed, so it is
 * the result of every operation that does not commute.  What has followed in the same transition belongs to the operation: a call may
 * read memory after its entry.
 *
 * Whether an operation has to wait depends on the state in the entries (op/op.h).  It is learnt for each value of the cell.
 */
#ifndef HEDDLE_STRATEGY_MCR_ORDERED_H
#define HEDDLE_STRATEGY_MCR_ORDERED_H

#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"

/* Cells that the transition under way has changed, and whose it is. */
struct ordered_open {
        VEC(uint32_t) cells;
        uint32_t thread;
};

/* Is it an operation of this file? */
bool ordered_known(uint32_t op);
/* The cell of an object, made if it is not there. */
uint32_t ordered_cell(struct tries *t, uint64_t obj);

/* The state is this one where the cell has the value `now`; known: these bits of it are known. */
void ordered_learn(struct tries *t, uint32_t cell, uint64_t now, uint64_t state, uint64_t known);
/* Which bits of the state an operation waits for. */
uint64_t ordered_awaits(uint32_t op);
/* Is it known whether the operation may be performed?  *may says so. */
bool ordered_decided(struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, bool *may);

/* What the thread can tell. */
uint64_t ordered_result(const struct node *n, const uint64_t *now);
/* A thread has performed the operation of a node, whatever it is, which led to the child. */
void ordered_do(struct ordered_open *o, const struct tries *t, const uint64_t *now, const struct node *n,
                uint32_t child, uint32_t thread, waiters_set *set, void *arg);

#endif
