/* A transaction that runs: what it has read, how many lines it touches, and its end by an abort. */
#ifndef HEDDLE_RT_TXN_SPECULATION_H
#define HEDDLE_RT_TXN_SPECULATION_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* The thread begins a transaction, in the transition whose first entry was the last one. */
void speculation_begin(struct thread *t, bool must_abort);
/* ... only to find out what it touches: it is to abort with this code, which says that there was a conflict. */
void speculation_conflict(struct thread *t, uint32_t code);
/* It has committed. */
void speculation_end(struct thread *t);

/* It comes to an operation inside of it. */
void speculation_note(struct thread *t, uint32_t op, uint64_t obj, uint32_t size);

/* The thread makes a system call that no operation shows: a transaction aborts. */
void speculation_kernel(struct thread *t);

/* It aborts with this status, or commits though it must not (WIRE_TXN_STARTED): this run ends, and the next one knows. */
_Noreturn void speculation_stop(struct thread *t, uint32_t status);

#pragma GCC visibility pop

#endif
