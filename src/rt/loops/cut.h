/*
 * Rounds without effect (WIRE_CUT_LOOPS): a thread that is back in a local state, and has changed nothing since, stops.
 *
 * The functions of spin.h lead here in such a run.
 */
#ifndef HEDDLE_RT_LOOPS_CUT_H
#define HEDDLE_RT_LOOPS_CUT_H

#include "rt/rt.h"

struct mm_reached;
struct thread;

#pragma GCC visibility push(hidden)

/* The thread is about to perform an operation.  If its last round had no effect, its state becomes WIRE_T_SPIN. */
void cut_check(struct thread *t, uint32_t op, uintptr_t site);

/* It has read, is about to write, or has had an effect. */
void cut_read(struct thread *t, uint64_t obj, uint32_t size);
void cut_write(struct thread *t, uint64_t obj, uint32_t size);
void cut_effect(struct thread *t);
/* It is about to perform an operation that writes an object. */
void cut_performs(struct thread *t);
/* A delayed store of it has reached memory. */
void cut_reach(struct thread *t, const struct mm_reached *r);
/* It has arrived at its next operation: its last writes are done.  Other threads have not run since. */
void cut_settle(const struct thread *t);

/* It is about to access memory that it owns, with the stack pointer `sp`: is it only noted here, and is there nothing to note?
 * Its stack is a part of its local state. */
bool cut_ignores(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size, uintptr_t sp);

/* No thread can continue: those whose read waits (await.h) have stopped, too. */
void cut_waits(void);

/* The schedule lets a thread continue: did it stop after a failed attempt (retry.h)?  Then it is as if it had not. */
bool cut_continues(struct thread *t);

/* Another thread has written. */
void cut_others(const struct thread *t, uint64_t obj, uint32_t size);

/* Is what the last round of each stopped thread saw still there?  And has something that one of them read changed unseen? */
bool cut_current(void);
bool cut_missed(void);
/* Do stopped threads write, and restore, what others of them read? */
bool cut_shows(void);

/* Of the last round of a thread that has stopped: did a transaction abort from outside in it?  And was that all? */
bool cut_retries(const struct thread *t, bool *all);

/* The state of the thread is about to be noted.  Below the part of the stack that was empty at the beginning bytes may differ that
 * the program never writes: there the execution ends, and is run again with more of the stack emptied. */
void cut_keep_above(const struct thread *t);

void cut_reset(void);

#pragma GCC visibility pop

#endif
