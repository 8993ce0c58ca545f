/*
 * Loops that do nothing but read one place until it has another value (WIRE_AWAITS): the read is an operation that waits.
 */
#ifndef HEDDLE_RT_LOOPS_AWAIT_H
#define HEDDLE_RT_LOOPS_AWAIT_H

#include "rt/rt.h"

struct thread;

#pragma GCC visibility push(hidden)

/* Who asks for the thread's turn: nobody, the schedule, or the schedule if it need not wait. */
enum await_asked { AWAIT_NOBODY, AWAIT_SCHEDULE, AWAIT_MAYBE };

/* Entries are noted in this run. */
extern bool await_notes;

void await_init_run(void);

/* The thread has the entry i. */
void await_entry(struct thread *t, uint32_t i);
/* It does something that entries do not say. */
void await_opaque(struct thread *t);

/* It is accessed so that other reads of it must be in the trace: none waits. */
void await_accessed(uint64_t obj, uint32_t size);

/* It accesses memory that no other thread accesses. */
void await_peeks(struct thread *t, uint64_t addr);

/* It is about to read in a loop, in this local state, for the n-th time since its last effect. */
void await_visit(struct thread *t, uint64_t local, uint32_t visits);
/* That read was all that it did since: it is back.  false: it stops as after any other round. */
bool await_wasted(struct thread *t, uint32_t visits);
/* The read that it waited for is entry i. */
void await_performed(struct thread *t, uint32_t i);

/* The thread has its turn.  false: it waits, and need not run. */
bool await_turn(struct thread *t, enum await_asked asked);

/* Which threads wait, as memory is now. */
void await_settle(void);

/* The execution ends: tells which threads wait. */
void await_report(void);

#pragma GCC visibility pop

#endif
