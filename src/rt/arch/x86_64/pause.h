/* `pause` in modules whose accesses are not watched: loops that wait. */
#ifndef HEDDLE_RT_ARCH_X86_64_PAUSE_H
#define HEDDLE_RT_ARCH_X86_64_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* One is executed, by a trap or a jump: does the loop wait for another thread?  Then pause_yield() follows. */
bool pause_waits(struct thread *t, bool trapped);
/* Lets others run. */
void pause_yield(struct thread *t, uintptr_t site);

#pragma GCC visibility pop

#endif
