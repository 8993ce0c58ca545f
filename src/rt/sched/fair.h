/* --fair: a thread that is passed over for too long. */
#ifndef HEDDLE_RT_SCHED_FAIR_H
#define HEDDLE_RT_SCHED_FAIR_H

struct thread;

#pragma GCC visibility push(hidden)

/* A thread has made a transition: has another one been passed over by too many?  Then the execution ends. */
void fair_turn(struct thread *t);

#pragma GCC visibility pop

#endif
