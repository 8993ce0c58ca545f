/*
 * Bytes of a thread's own stack that its loop writes before it reads them: they are not a part of the state at the place where a
 * round begins.
 */
#ifndef HEDDLE_RT_LOOPS_MASKS_H
#define HEDDLE_RT_LOOPS_MASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/threads.h"

struct cut;
struct visit;
struct wire_loop;

#pragma GCC visibility push(hidden)

/* Which bytes these are, as far as it is known. */
void masks_init_run(void);

/* The place of the running thread: its site, and how deep its stack is. */
uint32_t masks_place(const struct thread *t, uintptr_t site);

/* The state of the thread without what is masked at this place; `all`: with it. */
uint64_t masks_local(const struct thread *t, const struct wire_loop *l, uint32_t place, uint64_t all);

/* The thread begins to note what it does; it is at this place. */
void masks_arm(const struct thread *t);
void masks_visit(struct thread *t, uint32_t place);

/* Would the thread be back if some more of what it has written were masked?  Then the exploration restarts with that. */
void masks_explain(const struct thread *t, const struct cut *c, const struct wire_loop *l, const struct visit *now);

/* It is about to access memory of its own: what it reads and has not written since a place is not masked there. */
void masks_follow(struct thread *t, uint32_t op, uint64_t addr, uint32_t size);

static inline void masks_access(struct thread *t, uint32_t op, uint64_t addr, uint32_t size)
{
        if (__builtin_expect(t->spin.armed | t->spin.follows, 0))
                masks_follow(t, op, addr, size);
}

#pragma GCC visibility pop

#endif
