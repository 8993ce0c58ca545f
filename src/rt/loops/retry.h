/*
 * Retries (docs/proofs/loops.md): a compare-and-swap that fails, and leads to where an earlier read of the same place, had it been made
 * now, would have led.  The thread stops; the execution with that read stands for this one.
 */
#ifndef HEDDLE_RT_LOOPS_RETRY_H
#define HEDDLE_RT_LOOPS_RETRY_H

#include "rt/rt.h"

struct cut;
struct thread;

#pragma GCC visibility push(hidden)

void retry_init_run(void);

/* Does the state at this place, where the thread reads, count?  One before a loop does if that continues with what was read. */
bool retry_notes(uint32_t op, uintptr_t site);
/* ... and is it not known yet? */
bool retry_wants(uintptr_t site);

/* The thread is back at such a place, with an effect since; entry i is the first after it was there. */
void retry_returns(const struct thread *t, uint32_t i);

/* Has the thread done nothing since its last visit but to read there? */
bool retry_follows(const struct thread *t, const struct cut *c);
/* So its state is this one now.  Does it stop? */
bool retry_again(const struct thread *t, const struct cut *c, uint64_t local);

#pragma GCC visibility pop

#endif
