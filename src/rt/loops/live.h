/* The part of a thread's local state that its code may still read. */
#ifndef HEDDLE_RT_LOOPS_LIVE_H
#define HEDDLE_RT_LOOPS_LIVE_H

#include <stdint.h>

#include "wire/loop.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The loop of this site at which states are compared, NULL: none. */
const struct wire_loop *live_loop(uintptr_t site);

/* A hash of what is live of the registers and of the stack of the running thread, whose last call of the runtime is that of `l`. */
uint64_t live_hash(const struct thread *t, const struct wire_loop *l);

/* The loops of the next run. */
void live_init_run(void);

#pragma GCC visibility pop

#endif
