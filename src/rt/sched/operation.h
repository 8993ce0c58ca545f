/* The way of a thread to an operation: it arrives, and has its turn. */
#ifndef HEDDLE_RT_SCHED_OPERATION_H
#define HEDDLE_RT_SCHED_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/arrival.h"
#include "rt/threads.h"

struct object;

#pragma GCC visibility push(hidden)

/* The running thread is at an operation; returns when it may perform it.  The answer goes to op_log(). */
enum arrival op_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o, uintptr_t site);
/* The same for a hook that has counted itself already. */
enum arrival op_arrive_counted(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                               uintptr_t site);
/* Arrives and logs, for an operation on an object whose mode is known beforehand; the state is that of its turn. */
enum arrival op_perform(struct thread *t, uint32_t op, struct object *o, uint32_t mode, uintptr_t site);

bool op_ignored_slow(const struct thread *t, uint32_t op, uint64_t obj, uint32_t size);

/* Are accesses of t to this memory not events: in a section or function that is ignored, or to memory that is? */
static inline bool op_ignored(const struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        return RT_UNLIKELY(t->section.ignored | t->marks.trust_depth | rt.down->n_ignored) &&
               op_ignored_slow(t, op, obj, size);
}

#pragma GCC visibility pop

#endif
