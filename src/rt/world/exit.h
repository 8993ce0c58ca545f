/* The ends of the process: exit and the like, handlers, abort. */
#ifndef HEDDLE_RT_WORLD_EXIT_H
#define HEDDLE_RT_WORLD_EXIT_H

#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

void exit_init(void);
_Noreturn void exit_from_main(int status, uintptr_t site);
/* exit(), called from `site`. */
_Noreturn void exit_at(int status, uintptr_t site);
/* Writes an entry for each variable that the user observes. */
void exit_observe(struct thread *t);

#pragma GCC visibility pop

#endif
