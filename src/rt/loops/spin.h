/*
 * Threads that wait in a loop: found, blocked, and woken by a write to what they read.
 */
#ifndef HEDDLE_RT_LOOPS_SPIN_H
#define HEDDLE_RT_LOOPS_SPIN_H

#include "rt/rt.h"
#include "rt/loops/tracking.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The thread is about to perform a visible operation that only looks (a read, a lock): is it back where it was, with
 * nothing changed?  Then its state becomes WIRE_T_SPIN. */
void spin_check(struct thread *t, uint32_t op, uintptr_t site);

/* It has read, is about to write, or has done something that no loop undoes. */
void spin_read_slow(struct thread *t, uint64_t obj, uint32_t size);
void spin_write_slow(struct thread *t, uint64_t obj, uint32_t size);
void spin_progress(struct thread *t);
/* ... by an operation for which cycle_did() is called. */
void spin_moved(struct thread *t);

/* Thread t has written: wakes the spinning threads that read there. */
void spin_wake(struct thread *t, uint64_t obj, uint32_t size);

/* Thread t sends a signal to w, which is blocked in a loop: it continues. */
void spin_interrupt(struct thread *t, struct thread *w);

/* The schedule lets a blocked thread continue, as it did in the run that the schedule is from. */
void spin_overrule(struct thread *t);

/* The thread is blocked in a loop: did a transaction abort from outside in its last round?  Then the executions without that
 * round stand for this one.  all: nothing else happened in it. */
bool spin_retries(const struct thread *t, bool *all);

void spin_reset(void);

/* WIRE_CUT_LOOPS: did a thread stop after a round that saw values which are no longer there? */
bool spin_stale(void);

/* Has memory that a blocked thread waits for changed, though no write of it was seen? */
bool spin_missed(void);

static inline void spin_read(struct thread *t, uint64_t obj, uint32_t size)
{
        if (RT_UNLIKELY(spin_watchers))
                spin_read_slow(t, obj, size);
}

static inline void spin_write(struct thread *t, uint64_t obj, uint32_t size)
{
        if (RT_UNLIKELY(spin_watchers))
                spin_write_slow(t, obj, size);
}

#pragma GCC visibility pop

#endif
