/*
 * Operations with a deadline (--timeouts).
 *
 *   explore  a timeout is a decision: performed where it would have to wait, the operation times out.  To wait is not to
 *            be scheduled.
 *   never    it waits like the untimed form
 *   stuck    it waits, and times out when no other thread can continue, the earliest deadline first
 *
 * A deadline that has passed makes the operation a mere look in every mode.
 */
#ifndef HEDDLE_RT_SYNC_TIMED_H
#define HEDDLE_RT_SYNC_TIMED_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "rt/sched/arrival.h"

struct object;
struct thread;
struct wire_event;

#pragma GCC visibility push(hidden)

struct timed {
        uint64_t at; /* virtual time */
        bool looks;  /* never waits: times out where it would have to */
};

/* Does a wait with a deadline at this place time out wherever it would wait?  Otherwise only if nothing else can run. */
bool timed_explored(struct thread *t, uintptr_t site);

/* 0, or EINVAL: no such clock or time. */
int timed_begin(struct thread *t, struct timed *d, clockid_t clock, const struct timespec *ts, uintptr_t site);

/* Arrives at the operation `looks` or, where it may have to wait, `waits`; d is NULL for an untimed one. */
enum arrival timed_arrive(struct thread *t, const struct timed *d, uint32_t looks, uint32_t waits, struct object *o,
                          uintptr_t site);

/* It timed out: writes the entry, a look at the object, and moves the thread's clock.  Returns ETIMEDOUT. */
int timed_out(struct thread *t, enum arrival how, struct object *o, const struct timed *d);
/* One more timeout in a row. */
void timed_count(struct thread *t);
/* The same with an entry that has been written; NULL where it was a mere look. */
int timed_pass(struct thread *t, struct wire_event *e, const struct timed *d);

#pragma GCC visibility pop

#endif
