/* Failures of the program's threads. */
#ifndef HEDDLE_RT_SCHED_FAILURE_H
#define HEDDLE_RT_SCHED_FAILURE_H

#include "rt/rt.h"

struct heap_block;
struct thread;

#pragma GCC visibility push(hidden)

/* A failure of this thread, which continues or not as the caller decides. */
void rt_record(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text);

/* Stops the running thread with a failure; other threads may continue. */
_Noreturn void rt_fail(enum wire_failure_kind kind, uintptr_t site, const char *text);
/* The same about an object: its address and kind (enum op_object). */
_Noreturn void rt_fail_object(enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr,
                              uint32_t object);
/* The same for a signal that the kernel would end the program with. */
_Noreturn void rt_fail_signal(int sig, uintptr_t site, const char *text);
/* The same at this address, by this signal or 0; for signal.c. */
void failure_record(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text, int sig,
                    uint64_t addr);
_Noreturn void failure_stop(struct thread *t);
/* Where recorded paths are followed only the recorded failure counts: the running thread stops at any other. */
void failure_gate(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text);

/* The running thread comes to a limit of heddle: it is stopped, the others continue. */
_Noreturn void thread_cut(struct thread *t, enum reason why);

/* The running thread's assumption does not hold: it stops, and the execution is not a failure. */
_Noreturn void rt_assume_fail(uintptr_t site);

/* Records a failure of the heap.  b may be NULL. */
void rt_record_heap(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr,
                    uint32_t size, uint32_t op, const struct heap_block *b);
/* The same, and stops the running thread. */
_Noreturn void rt_fail_heap(enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr, uint32_t size,
                            uint32_t op, const struct heap_block *b);

#pragma GCC visibility pop

#endif
