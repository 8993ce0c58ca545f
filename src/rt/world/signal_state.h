/* Actions, mask and alternate stack of the program. */
#ifndef HEDDLE_RT_WORLD_SIGNAL_STATE_H
#define HEDDLE_RT_WORLD_SIGNAL_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct signal_action;
struct thread;

#pragma GCC visibility push(hidden)

void signal_save(void);
void signal_restore(bool all);
/* Would that do nothing? */
bool signal_is_unchanged(void);
/* The program's handler for one of our signals, which is about to run; false: it has none. */
bool signal_take_handler(int sig, struct signal_action *a);
/* abort() was called: the program's handler runs, if it has one. */
void signal_abort(void);
/* The top of the program's alternate stack, or 0. */
uintptr_t signal_program_stack(void);
long signal_call_action(const long *a);
long signal_call_mask(struct thread *t, const long *a, uint64_t *mask); /* of the context that is returned to */
long signal_call_stack(const long *a);
/* Does the thread block this signal?  Then it will get it when it no longer does. */
bool signal_blocked(struct thread *t, int sig);

#pragma GCC visibility pop

#endif
