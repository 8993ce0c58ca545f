/* The futex system call. */
#ifndef HEDDLE_RT_SYNC_FUTEX_H
#define HEDDLE_RT_SYNC_FUTEX_H

#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* Its arguments as syscall() got them; returns what the kernel would, a negative error number included. */
long futex_call(struct thread *t, const long a[6], uintptr_t site);

#pragma GCC visibility pop

#endif
