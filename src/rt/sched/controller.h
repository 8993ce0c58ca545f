/* The fiber between executions. */
#ifndef HEDDLE_RT_SCHED_CONTROLLER_H
#define HEDDLE_RT_SCHED_CONTROLLER_H

#pragma GCC visibility push(hidden)

void controller_start(void);
/* Takes the snapshot if none is taken yet; afterwards executions begin here. */
void snapshot_ensure(void);
/* A signal for the child that executes, in fork mode. */
void controller_forward(int sig);
/* Outside of all threads: the explorer gets this as the last answer. */
_Noreturn void controller_fault(const char *text);

#pragma GCC visibility pop

#endif
