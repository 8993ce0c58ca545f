/*
 * The runtime inside the target: what its files share.
 *
 * Rules that keep it safe.  Everything of the program runs on one kernel thread; the threads of the program are fibers
 * on it, and a switch happens only in sched.c.  The runtime uses no malloc, no stdio, no thread-local variables and
 * never touches errno across a switch.  Its own state is outside the snapshot and is put back by exec_reset().
 * A wrapper has one shape: describe the operation, let the scheduler say when, apply the model, do the deed.
 */
#ifndef HEDDLE_RT_RT_H
#define HEDDLE_RT_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "op/op.h"
#include "wire/wire.h"

#define RT_EXPORT      __attribute__((visibility("default")))
#define RT_LIKELY(x)   __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_SITE()      ((uintptr_t)__builtin_return_address(0))

/* Everything below is reached without the GOT: wrappers run before the loader has relocated this object. */
#pragma GCC visibility push(hidden)

struct thread;
struct timespec;

/* The running thread of the program; NULL outside `heddle check`, before the runtime is up, and while the runtime
 * itself works.  With NULL every wrapper does the plain thing: calls the real function. */
#ifdef HEDDLE_PLAIN /* plain/plain.c */
#define rt_cur ((struct thread *)NULL)
#else
extern struct thread *rt_cur;
#endif

static inline bool rt_on(void)
{
        return rt_cur != NULL;
}

/* An access of `size` bytes that no compiler instrumented (mem*, str*, heddle_read): op is OP_READ or OP_WRITE.
 * A scheduling point where the range is shared.  Call it before the access is made. */
void access_range(uint32_t op, const void *addr, size_t size, uintptr_t site);
/* A plain access by a thread whose registers are noted (spin_regs). */
void access_noted(uint32_t op, uintptr_t addr, uint32_t size, uintptr_t site);

/* A write under a lock of libc: a scheduling point, and no race with others of its kind. */
void access_locked(const void *addr, size_t size, uintptr_t site);
/* input.c: the running thread is about to read from a stream that others may read from. */
void input_stream(const void *file, uintptr_t site);

/* Several ranges of one call, as ONE transition: reads of one and writes of the other, either may be NULL. */
void access_pair(const void *rd, size_t rn, const void *wr, size_t wn, uintptr_t site);

/* The general form, for calls that read two strings or read and write one: n parts, empty ones are ignored. */
struct access_part {
        uint32_t op; /* OP_READ or OP_WRITE */
        const void *addr;
        size_t size;
};
void access_parts(const struct access_part *part, unsigned n, uintptr_t site);

/* True if `pc` lies in libc or the dynamic loader: their internal calls are never scheduling points. */
bool rt_site_in_libc(uintptr_t pc);

/* True if `pc` lies in the unwinder (libgcc_s): what it looks at while a stack is unwound is nobody's business. */
bool rt_site_in_unwinder(uintptr_t pc);

/* Ends the execution as "not modelled", naming the call.  Outside `check` returns. */
void rt_refuse(const char *name);

/* The address of the next definition of an exported function after ours; never NULL (faults when there is none). */
void *rt_real(const char *name);

/* The real function behind a wrapper, looked up once. */
#define RT_REAL(name)                                              \
        ({                                                         \
                static __typeof__(&name) real_;                    \
                if (!real_)                                        \
                        real_ = (__typeof__(&name))rt_real(#name); \
                real_;                                             \
        })

/* Stops the running thread with a failure; other threads may go on.  Does not return. */
_Noreturn void rt_fail(enum wire_failure_kind kind, uintptr_t site, const char *text);
/* The same about an object: its address and kind (enum op_object). */
_Noreturn void rt_fail_object(enum wire_failure_kind kind, uintptr_t site, const char *text, uint64_t addr,
                              uint32_t object);

/* The same for a signal that the kernel would end the program with. */
_Noreturn void rt_fail_signal(int sig, uintptr_t site, const char *text);

/* Asks the schedule for a number below n, as a decision of its own. */
uint32_t rt_choose(uint32_t n, uintptr_t site);
/* --fail-malloc: is this allocation to fail? */
bool rt_malloc_fails(uintptr_t site);

/* What the annotations ask of the scheduler; each is called with rt_on() only. */
_Noreturn void rt_assume_fail(uintptr_t site);
void rt_atomic_begin(uintptr_t site);
void rt_atomic_end(uintptr_t site);
void rt_yield(uintptr_t site);
void rt_preempt(uintptr_t site);
void rt_ignore(int delta); /* +1, -1: accesses are not looked at while the sum is positive */
void rt_name_object(const void *p, const char *name);

/* The exploration must not be called complete, for this reason; the text lives for ever. */
void rt_note_incomplete(enum reason reason, const char *detail);

/* The seed of everything random, 0 before the runtime is up. */
uint64_t rt_seed(void);

/* Our own fault or a limit: ends the execution as WIRE_END_FAULT with a message. */
_Noreturn void rt_fault(const char *text);

/* The running thread's number (slot). */
uint32_t rt_self(void);

/* The running thread asks for the time, which no loop undoes: how often it has asked before. */
uint32_t rt_clock_asked(void);

/* Virtual time of the running thread in nanoseconds since start, to be read and advanced. */
uint64_t *rt_vtime(void);

/* The virtual time at which a timeout is over: absolute by the clock, or from now on.  false: it is no time. */
bool clock_deadline(bool absolute, int clock, const struct timespec *ts, uint64_t *until);
/* The virtual time at which the clock shows *ts: 0, or EINVAL for a clock or a time that there is none of.  What lies
 * before the start is 0.  The caller's memory is read. */
int rt_deadline(int clock, const void *timespec, uint64_t *at, uintptr_t site);

/* The running thread sleeps, a cancellation point. */
void clock_sleep(uint64_t ns, uintptr_t site);

/* Raw system calls, usable anywhere. */
long rt_syscall6(long nr, long a, long b, long c, long d, long e, long f);

/* heap.c: all state of the heap that changes lives in one block, saved and restored with the snapshot. */
struct heap_state;
extern struct heap_state *heap_state;
size_t heap_state_size(void);
/* Calls f for every stretch of heap memory in use now (blocks handed out so far, headers included). */
void heap_each_used(void (*f)(void *arg, void *start, size_t size), void *arg);
/* Size of the block at p, or 0 if p is none. */
size_t heap_block_size(const void *p);
/* Was this process started by heddle?  Right from the first call of the process on, constructors included. */
bool heap_is_target(void);

/* random.c: likewise one block, saved and restored with the snapshot. */
struct random_state;
extern struct random_state *random_state;
size_t random_state_size(void);
/* The running thread's next random number. */
uint64_t rt_random_next(void);

#pragma GCC visibility pop

#endif
