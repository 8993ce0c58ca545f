/*
 * Cancellation points, for the wrappers of calls that are one:
 *
 *     how = cancel_arrive(t, op, ...);    instead of op_arrive(); does not return if the thread ends here
 *     op_log(t, how, ...);
 *     cancel_passed(t, how);              when it continues
 */
#ifndef HEDDLE_RT_THREAD_CANCEL_H
#define HEDDLE_RT_THREAD_CANCEL_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/arrival.h"

struct object;
struct thread;

#pragma GCC visibility push(hidden)

enum arrival cancel_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                           uintptr_t site);
void cancel_passed(struct thread *t, enum arrival how);

/* A cancellation point that waits for nothing: pthread_testcancel, and calls that do not block here. */
void cancel_point(uintptr_t site);

/* The two halves of cancel_arrive() for operations with more to do in between: the thread will be at a point (true: other
 * threads can tell); its turn has come, and it is `interrupted`: it ends. */
bool cancel_prepare(struct thread *t);
_Noreturn void cancel_act(struct thread *t, enum arrival how);

#pragma GCC visibility pop

#endif
