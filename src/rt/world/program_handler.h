/* The program's handlers of signals that are not the runtime's own, and the thread's mask while one runs. */
#ifndef HEDDLE_RT_WORLD_PROGRAM_HANDLER_H
#define HEDDLE_RT_WORLD_PROGRAM_HANDLER_H

#include <stdbool.h>
#include <stdint.h>

struct signal_action;
struct thread;

#pragma GCC visibility push(hidden)

extern bool program_handler_any; /* is there one? */

/* Remembers the program's action, and makes it one that runs the program's handler inside ours. */
void program_handler_wrap(int sig, struct signal_action *a);
/* The reverse, for an action that the kernel gave. */
void program_handler_unwrap(int sig, struct signal_action *a);
/* At the snapshot, and after an execution. */
void program_handler_save(void);
void program_handler_restore(void);
/* Signals that the thread had blocked and now lets through arrive. */
void signal_deliver_pending(struct thread *t);

#pragma GCC visibility pop

#endif
