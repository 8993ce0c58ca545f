/*
 * What a thread has written since its first visit (cut.h): is all as if it had not?
 */
#ifndef HEDDLE_RT_LOOPS_CHANGES_H
#define HEDDLE_RT_LOOPS_CHANGES_H

#include "rt/rt.h"

struct cut;
struct look;
struct mm_reached;
struct thread;
struct visit;

#pragma GCC visibility push(hidden)

/* The thread is about to write memory, or to perform an operation that writes an object.  false: that is an effect. */
bool changes_write(const struct thread *t, struct cut *c, uint64_t obj, uint32_t size);
bool changes_perform(const struct thread *t, struct cut *c);

/* A delayed store of it has reached memory, where other threads see this in place of what they saw. */
bool changes_reach(struct cut *c, const struct mm_reached *r);

/* Its last writes are done by now. */
void changes_settle(struct cut *c);

/* Has it written nothing since the visit?  Stores from before may have reached memory. */
bool changes_none(const struct thread *t, const struct cut *c, const struct visit *v);
/* ... or nothing but what was there?  For retry.c. */
bool changes_none_seen(const struct thread *t, const struct cut *c, const struct visit *v);

/* Had it no effect since the visit?  Private memory is a part of its local state. */
bool changes_undone(const struct thread *t, const struct cut *c, const struct visit *v);

/* Of the last round of a stopped thread: would it change nothing now, either?  And has this read of it seen what the thread had written
 * in that round? */
bool changes_current(const struct cut *c);
bool changes_seen(const struct cut *c, const struct look *r);

#pragma GCC visibility pop

#endif
