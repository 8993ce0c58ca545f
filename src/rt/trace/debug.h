/* What a debugger sees of an execution (heddle gdb). */
#ifndef HEDDLE_RT_TRACE_DEBUG_H
#define HEDDLE_RT_TRACE_DEBUG_H

#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The running thread is about to perform entry number `step`, from 1. */
void debug_step(struct thread *t, uint32_t step);
/* The running thread has failed; what it did broke an invariant. */
void debug_failed(struct thread *t);
void debug_broken(struct thread *t);
/* Writes what there is to show into struct wire_debug.  The debugger has it called (arch/x86_64/ask.S). */
void debug_describe(void);
/* The execution is over: ends the process. */
_Noreturn void debug_end(void);

#pragma GCC visibility pop

#endif
