/* Call stacks in the trace. */
#ifndef HEDDLE_RT_TRACE_CALLSTACK_H
#define HEDDLE_RT_TRACE_CALLSTACK_H

#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* A run begins. */
void callstack_begin(void);
/* The innermost frame of the thread's call stack, in up->frames. */
uint32_t callstack_record(const struct thread *t);
/* The running thread touches this: if it is on a stack, whose, in up->locals. */
void callstack_local(const struct thread *t, uint64_t addr);

#pragma GCC visibility pop

#endif
