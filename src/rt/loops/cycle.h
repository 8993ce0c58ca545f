/*
 * Executions that come back to a state they were in: threads that keep each other from continuing, as two do that each
 * take one lock, try the other's and back off.
 */
#ifndef HEDDLE_RT_LOOPS_CYCLE_H
#define HEDDLE_RT_LOOPS_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* States are checked from this transition on; UINT32_MAX: never.  The hot path asks only this. */
extern uint32_t cycle_from;

void cycle_init_run(void);
/* The thread has come to a point: ends the execution (WIRE_END_CYCLE) if everything is as it was at an earlier one, and
 * tells the state. */
void cycle_look(struct thread *t, uintptr_t site);

/* While cycle_on: the thread runs again; its registers are those that were noted before. */
void cycle_back(const struct thread *t);

/* While cycle_on: something is about to be written, was performed, or is done whose effect is nowhere checked. */
void cycle_write(const struct thread *t, uint64_t addr, uint32_t size);
void cycle_did(uint32_t op);
void cycle_opaque(void);
/* ... memory was allocated or given back. */
void cycle_heap(void);

/* ... a range cannot be read any longer: if states have words of it, none is compared from now on. */
void cycle_gone(uint64_t lo, uint64_t hi);

/* The program asks for the time. */
void cycle_asked(void);

#pragma GCC visibility pop

#endif
