/* What a thread waits for that a request or a signal may reach while it waits. */
#ifndef HEDDLE_RT_THREAD_AWAITED_H
#define HEDDLE_RT_THREAD_AWAITED_H

#include "rt/sched/arrival.h"

struct pending;
struct thread;

#pragma GCC visibility push(hidden)

/* What thread `of` waits for in operation p, as far as others may change it: t looks at it. */
void awaited_read(struct thread *t, enum arrival how, const struct thread *of, const struct pending *p);

#pragma GCC visibility pop

#endif
