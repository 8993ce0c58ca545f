/* System calls that change what the kernel keeps of the process. */
#ifndef HEDDLE_RT_WORLD_TRAP_H
#define HEDDLE_RT_WORLD_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* At the start of the program: calls that name files come to us from now on.  False: the kernel does not let us. */
bool trap_files(void);
/* From now on such system calls come to us.  False: the kernel does not let us. */
bool trap_init(void);
/* A SIGSYS, with its siginfo_t and ucontext_t.  False: it has nothing to do with a trap. */
bool trap_signal(const void *info, void *context);

/* syscall.c: what a syscall instruction before `site` does; the answer or a negative error number. */
long syscall_perform(long nr, const long a[6], uintptr_t site);

#pragma GCC visibility pop

#endif
