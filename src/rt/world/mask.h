/* The signal mask of the kernel thread that all threads share. */
#ifndef HEDDLE_RT_WORLD_MASK_H
#define HEDDLE_RT_WORLD_MASK_H

#include <stdbool.h>

struct thread;

#pragma GCC visibility push(hidden)

extern bool signal_mask_changed; /* since the snapshot */

/* The kernel's mask becomes that of the thread that runs next. */
void signal_switch_mask(const struct thread *to);

#pragma GCC visibility pop

#endif
