/*
 * The kernel's part of the state of a process, saved and put back with the snapshot.
 */
#ifndef HEDDLE_RT_WORLD_KERNEL_H
#define HEDDLE_RT_WORLD_KERNEL_H

#include "rt/core.h"

#pragma GCC visibility push(hidden)

/* Called where the snapshot is taken, in fork mode too.  Returns NULL, or what the program has that no execution could
 * be run with: it is refused for that. */
const char *kernel_save(void);

/* Everything as it was, before memory is put back.  Costs nothing when the program made no system call that changes
 * something. */
void kernel_restore(void);

/* In fork mode, before each child: what it shares with us. */
void kernel_restore_shared(void);

/* Before an answer: is everything known that this execution changed?  Else it is marked as not restorable. */
void kernel_finish(void);

/* The running execution did something that the snapshot cannot undo.  With a snapshot the execution ends here; in fork
 * mode it is none of our business, and the function returns. */
void kernel_cannot_restore(const char *why);

/* Perform a system call of the program and note what it changed. */
long kernel_chdir(long nr, const long *a);
long kernel_umask(const long *a);
long kernel_timer(long nr, const long *a);
long kernel_limit(long nr, const long *a);

/* trap.c: from now on such system calls come to us.  False: the kernel does not let us. */
bool trap_init(void);

/* assumed.c: this descriptor of the program, or all that it has now, may lead outside. */
void assumed_descriptor(int fd);
void assumed_init(void);
/* A SIGSYS, with its siginfo_t and ucontext_t.  False: it has nothing to do with a trap. */
bool trap_signal(const void *info, void *context);

struct signal_action { /* as the kernel has it */
        void (*handler)(int);
        uint64_t flags;
        void (*restorer)(void);
        uint64_t mask;
};

/* signal.c: what the runtime needs of signals for itself. */
bool signal_is_own(int sig);
uint64_t signal_own_set(void); /* a bit for each of them */
void signal_install(void);
bool signal_is_installed(const struct signal_action *a);
void signal_own_stack(void *stack); /* a stack_t */

/* signal_state.c: actions, mask and alternate stack of the program. */
void signal_save(void);
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
void signal_restore(bool all);
long signal_call_action(const long *a);
long signal_call_mask(struct thread *t, const long *a, uint64_t *mask); /* of the context that is returned to */
void signal_switch_mask(const struct thread *to); /* the kernel's mask becomes that of the thread that runs next */
/* Does the thread block this signal?  Then it will get it when it no longer does. */
bool signal_blocked(struct thread *t, int sig);
long signal_call_stack(const long *a);

#pragma GCC visibility pop

#endif
