/* The way of a thread through an operation: it arrives, has its turn, and writes an entry. */
#ifndef HEDDLE_RT_SCHED_OPERATION_H
#define HEDDLE_RT_SCHED_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/arrival.h"

struct object;
struct thread;
struct wire_event;

#pragma GCC visibility push(hidden)

/* The running thread is at an operation; returns when it may perform it.  The answer goes to op_log(). */
enum arrival op_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o, uintptr_t site);
/* The same for a hook that has counted itself already. */
enum arrival op_arrive_counted(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                               uintptr_t site);
/* Writes the entry (after the outcome is known, before the effect is visible to others); never NULL. */
struct wire_event *op_log(struct thread *t, enum arrival how, uint32_t mode, uint64_t value);
/* Both, for an operation on an object whose mode is known beforehand; the state is that of its turn. */
enum arrival op_perform(struct thread *t, uint32_t op, struct object *o, uint32_t mode, uintptr_t site);
/* One more entry of the same transition. */
struct wire_event *op_also(struct thread *t, enum arrival how, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                           uint64_t value);

/* Are accesses of t to this memory not events: in a section or function that is ignored, or to memory that is? */
bool op_unheard(const struct thread *t, uint32_t op, uint64_t obj, uint32_t size);

/* WIRE_DETAIL: the value of the thread's last plain store, which is in memory by now. */
void op_tell_store(struct thread *t);

#pragma GCC visibility pop

#endif
