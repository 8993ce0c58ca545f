/*
 * Executions that come back to a state they were in: threads that keep each other from going on, as two do that each
 * take one lock, try the other's and back off.
 */
#ifndef HEDDLE_RT_CYCLE_H
#define HEDDLE_RT_CYCLE_H

#include "rt/core.h"

#pragma GCC visibility push(hidden)

/* States are looked at from this transition on; UINT32_MAX: never.  The hot path asks only this. */
extern uint32_t cycle_from;
extern bool cycle_on; /* states are being remembered: every write must be seen */

void cycle_init_run(void);
/* A stack of which nobody uses what lies below `top` yet. */
void cycle_clean_stack(char *lo, char *top);

/* The thread has come to a point: ends the execution (WIRE_END_CYCLE) if everything is as it was at an earlier one. */
void cycle_look(struct thread *t, uintptr_t site);

/* While cycle_on: something is about to be written, was performed, or is done that no cycle undoes. */
void cycle_write(const struct thread *t, uint64_t addr, uint32_t size);
void cycle_did(uint32_t op);
void cycle_progress(void);

#pragma GCC visibility pop

#endif
