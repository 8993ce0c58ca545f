/* The ways from a thread to the controller: the end of an execution, and the snapshot. */
#ifndef HEDDLE_RT_SCHED_END_H
#define HEDDLE_RT_SCHED_END_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Ends the execution; enum wire_end says why. */
_Noreturn void exec_end(uint32_t end);
_Noreturn void exec_end_text(uint32_t end, uint32_t step, const char *text);
/* The schedule cannot be followed: `what` has one %u for the actor. */
_Noreturn void sched_diverged(const char *what, uint32_t actor);

/* This function writes what the explorer is to know of the end; before main. */
void exec_set_report(void (*report)(uint32_t end));

/* The execution is over, though it will continue: the threads are reported as they are (WIRE_END_NONE). */
void exec_over(void);

/* Takes the snapshot if none is taken yet; afterwards executions begin here. */
void snapshot_ensure(void);
/* The same in a call through a stub (x86_64/stub.h), which found the program's part of the stack at `frames`: what the stub
 * skipped is not part of the snapshot. */
void snapshot_ensure_below(uintptr_t frames);

#pragma GCC visibility pop

#endif
