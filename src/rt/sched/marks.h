/* Functions that options or attributes mark. */
#ifndef HEDDLE_RT_SCHED_MARKS_H
#define HEDDLE_RT_SCHED_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The marks are known: before main. */
void mark_init(void);
/* A new thread, on whose call stack nothing is. */
void mark_thread(struct thread *t);
/* The thread enters or leaves the function that this place of the code lies in. */
void mark_enter(struct thread *t, uintptr_t pc);
void mark_leave(struct thread *t, uintptr_t pc);

/* Does a function begin here that the program must not call? */
bool mark_is_error(uintptr_t pc);

/* Is this the return address of a call in a function whose abort is an assumption? */
bool mark_is_assume(uintptr_t site);

#pragma GCC visibility pop

#endif
