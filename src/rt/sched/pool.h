/* Stacks and thread-local storage of fibers, one slot for each thread. */
#ifndef HEDDLE_RT_SCHED_POOL_H
#define HEDDLE_RT_SCHED_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/limits.h"

struct thread;

#pragma GCC visibility push(hidden)

void pool_init(uint32_t n);
uint32_t pool_size(void);
/* Does the stack at this address belong to none of the first n threads? */
bool pool_is_unused(uintptr_t addr, uint32_t n);
/* With kernel threads: lets the one with thread pointer fs continue at `sp`, waits until another hands over to this one,
 * and returns the stack pointer to continue at. */
void *pool_hand_over(void *fs, void *sp);
/* The thread pointer of the thread in this slot, which is its handle too. */
void *pool_handle(uint32_t slot);
/* ... and back: the slot, if it is the handle of a thread that main is not. */
uint32_t pool_slot(const void *handle);
/* Gives the thread in its slot a pristine stack and TLS; entry() will run first. */
void pool_prepare(struct thread *t, void (*entry)(void));
void pool_main_stack(uintptr_t lo, uintptr_t hi);
/* Where the stacks are that fibers use, main's first, and how many there are. */
struct pool_stack {
        uintptr_t lo, top;
};
extern struct pool_stack pool_stacks[WIRE_MAX_THREADS];
extern uint32_t pool_n;
static inline bool pool_stack_of(uint32_t slot, uintptr_t *lo, uintptr_t *hi)
{
        if (slot >= pool_n)
                return false;
        *lo = pool_stacks[slot].lo;
        *hi = pool_stacks[slot].top;
        return true;
}
/* The main thread is about to continue from the snapshot.  Empties what states are compared of in the unused part of its stack,
 * and fills the rest with bytes that differ in each execution (HEDDLE_POISON).  pool_prepare() does so for other threads. */
void pool_main_unused(void);
/* How many bytes below that are in use. */
uint32_t pool_depth(uint32_t slot, uintptr_t sp);
/* A thread that does not run: where the frames of the program begin in its stack, and where what the runtime has below them
 * ends.  Between the two nothing is in use. */
uintptr_t thread_frames(const struct thread *t, uintptr_t *own_end);
/* May a stack hold this address?  Of most memory that is shared this is all that is asked. */
#define POOL_BASE   UINT64_C(0x200000000000)
#define POOL_STRIDE (UINT64_C(2) << 30) /* from one stack to the next */
static inline bool pool_is_near(uintptr_t addr)
{
        return addr - POOL_BASE < WIRE_MAX_THREADS * POOL_STRIDE ||
               (addr >= pool_stacks[0].lo && addr < pool_stacks[0].top);
}
/* The slot whose stack holds this address. */
bool pool_stack_at(uintptr_t addr, uint32_t *slot);
/* Several threads touch the 8 bytes at this address, from this execution on: is that on a stack? */
void pool_lend(uintptr_t addr);
/* The part of the stack of this slot, which is not main's, that other threads touch in some execution; false: there is none. */
bool pool_lent(uint32_t slot, uintptr_t *lo, uint32_t *size);
/* Calls f for the memory that is local to the thread of a slot; for none of main's, which is data like any other. */
void pool_each_local(uint32_t slot, void (*f)(const void *lo, const void *hi));

#pragma GCC visibility pop

#endif
