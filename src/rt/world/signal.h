/* The signals that the runtime handles itself. */
#ifndef HEDDLE_RT_WORLD_SIGNAL_H
#define HEDDLE_RT_WORLD_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

struct signal_action;

#pragma GCC visibility push(hidden)

void signal_init(void);
void signal_thread_init(void); /* the same for a further kernel thread: a stack for handlers */

bool signal_is_own(int sig);
uint64_t signal_own_set(void); /* a bit for each of them */
void signal_install(void);
bool signal_is_installed(const struct signal_action *a);
void signal_own_stack(void *stack); /* a stack_t */

#pragma GCC visibility pop

#endif
