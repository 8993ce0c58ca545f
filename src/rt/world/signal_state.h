/* Actions, mask and alternate stack of the program. */
#ifndef HEDDLE_RT_WORLD_SIGNAL_STATE_H
#define HEDDLE_RT_WORLD_SIGNAL_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

struct signal_action { /* as the kernel has it */
        void (*handler)(int);
        uint64_t flags;
        void (*restorer)(void);
        uint64_t mask;
};

#pragma GCC visibility push(hidden)

void signal_save(void);
void signal_restore(bool all);
/* Has the program a handler for it?  Of signals that are not ours. */
bool signal_caught(int sig);
/* The program's handler for one of our signals, which is about to run; false: it has none. */
bool signal_take_handler(int sig, struct signal_action *a);
/* The program has a handler for accesses to memory that is not there.  Then: is this one of them? */
extern bool signal_faults;
bool signal_will_fault(uintptr_t addr);
/* abort() was called: the program's handler runs, if it has one. */
void signal_abort(void);
/* The top of the program's alternate stack, or 0. */
uintptr_t signal_program_stack(void);
long signal_call_action(const long *a);
long signal_call_mask(struct thread *t, const long *a, uint64_t *mask); /* of the context that is returned to */
long signal_call_stack(const long *a);
void signal_switch_mask(const struct thread *to); /* the kernel's mask becomes that of the thread that runs next */
/* Does the thread block this signal?  Then it will get it when it no longer does. */
bool signal_blocked(struct thread *t, int sig);

#pragma GCC visibility pop

#endif
