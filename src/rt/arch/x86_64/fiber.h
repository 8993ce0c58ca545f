/* Fibers: stacks and thread pointers that take turns on one kernel thread. */
#ifndef HEDDLE_RT_ARCH_X86_64_FIBER_H
#define HEDDLE_RT_ARCH_X86_64_FIBER_H

#include <stdint.h>

struct fiber_state {
        void *sp; /* valid while it does not run */
        uintptr_t
                frames; /* while it does not run: the program's part of its stack begins here; 0: at sp (thread_frames) */
        uintptr_t exit_sp; /* where it called exit or returned from main: the program's part is above; 0: it has not */
        uintptr_t end;     /* of the main thread: its frames from main() on are below; 0: not known */
        void *fs;          /* thread pointer, also the pthread_t */
};

#pragma GCC visibility push(hidden)

void fiber_init(void);
/* Saves the callee-saved registers and the stack pointer in *from, loads those at `to` and the thread pointer. */
void fiber_switch(void **from, void *to, void *fs);
/* Prepares a stack so that a switch to it calls entry(). */
void *fiber_prepare(void *stack_top, void (*entry)(void));
void *fiber_thread_pointer(void);
/* From now on a switch hands over to the kernel thread with that thread pointer (pool_hand_over). */
void fiber_use_kernel_threads(void);
/* Continues at a saved stack pointer. */
_Noreturn void fiber_continue(void *sp);

#pragma GCC visibility pop

#endif
