/*
 * Cancellation points, for the wrappers of calls that are one:
 *
 *     how = cancel_arrive(t, op, ...);          instead of op_arrive(); does not return if the thread ends here
 *     cancel_passed(t, how, op_log(...));       when it goes on
 */
#ifndef HEDDLE_RT_CANCEL_H
#define HEDDLE_RT_CANCEL_H

#include "rt/core.h"

#pragma GCC visibility push(hidden)

enum arrival cancel_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                           uintptr_t site);
void cancel_passed(struct thread *t, enum arrival how, struct wire_event *e);

/* A cancellation point that waits for nothing: pthread_testcancel, and calls that do not block here. */
void cancel_point(uintptr_t site);

/* The two halves of cancel_arrive() for operations with more to do in between: the thread will be at a point (true: other
 * threads can tell); its turn has come: does it end?  Then it does what must be done before, and calls cancel_act(). */
bool cancel_prepare(struct thread *t);
bool cancel_decide(struct thread *t);
_Noreturn void cancel_act(struct thread *t, enum arrival how);

#pragma GCC visibility pop

#endif
