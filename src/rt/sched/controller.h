/* The fiber between executions. */
#ifndef HEDDLE_RT_SCHED_CONTROLLER_H
#define HEDDLE_RT_SCHED_CONTROLLER_H

#pragma GCC visibility push(hidden)

void controller_start(void);
/* A signal for the child that executes, in fork mode. */
void controller_forward(int sig);

#pragma GCC visibility pop

#endif
