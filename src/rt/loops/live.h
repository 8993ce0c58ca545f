/* The part of a thread's local state that its code may still read. */
#ifndef HEDDLE_RT_LOOPS_LIVE_H
#define HEDDLE_RT_LOOPS_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/loop.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The loop of this site at which states are compared, NULL: none. */
const struct wire_loop *live_loop(uintptr_t site);

/* Can others of what the running thread is about to do than its object and `arg` differ between two visits?  Then its local state
 * does not say it: such arguments may be in registers that calls do not preserve. */
bool live_lacks_arguments(const struct thread *t);

/* A hash of its local state: what it is about to do, and what is live of its registers and of its stack.  Its last call of the
 * runtime is that of `l`; NULL: all is live. */
uint64_t live_local(const struct thread *t, const struct wire_loop *l);

/* Is the address in a frame whose variables are accessed only as they are announced? */
bool live_is_told(const struct thread *t, const struct wire_loop *l, uint64_t addr);

/* The site of its call of the runtime, NULL: the room is used up.  Where this or one of the calls on the way there is not known
 * yet, the execution ends as by live_report(). */
const struct wire_loop *live_site(const struct thread *t, uintptr_t site);

/* The execution ends (WIRE_END_LOOP), and is run again with more sites known: this one, which is in a loop, and its callers. */
_Noreturn void live_report(const struct thread *t, uintptr_t site);

/* The loops of the next run. */
void live_init_run(void);

#pragma GCC visibility pop

#endif
