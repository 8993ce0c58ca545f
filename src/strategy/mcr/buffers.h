/*
 * Store buffers of the machine (--memory tso, pso).
 *
 * A store that is delayed is an operation of its thread's history; how many stores of a buffer have reached memory is a cell.
 * So the buffer's content follows from the two: those of the history that have a higher number.
 */
#ifndef HEDDLE_STRATEGY_MCR_BUFFERS_H
#define HEDDLE_STRATEGY_MCR_BUFFERS_H

#include "strategy/mcr/tries.h"

/* The cell of a buffer, an actor, made if it is not there. */
uint32_t buffers_cell(struct tries *t, uint32_t actor, uint32_t thread);

/* The store at this node goes to this buffer: its number there. */
void buffers_enter(struct tries *t, uint32_t node, uint32_t buffer);

/* In all of these `now` has the values of cells and `node` is the thread's. */

/* Stores of the thread that have not reached memory. */
uint32_t buffers_pending(const struct tries *t, const uint64_t *now, uint32_t node);
/* What the thread sees in a memory cell. */
uint64_t buffers_view(const struct tries *t, const uint64_t *now, uint32_t node, uint32_t cell);
/* ... and which of its bytes come from stores that have not reached memory. */
uint64_t buffers_covers(const struct tries *t, const uint64_t *now, uint32_t node, uint32_t cell);
/* The store of the buffer that comes next, a node; 0: there is none.  ready: ... or older ones of the thread come first. */
uint32_t buffers_next(const struct tries *t, const uint64_t *now, uint32_t node, uint32_t buffer, bool ready);

#endif
