/* Waits for one of several channels. */
#ifndef HEDDLE_RT_WORLD_POLL_H
#define HEDDLE_RT_WORLD_POLL_H

#include "rt/sched/arrival.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The running thread reads the channels that thread `of` polls. */
void poll_read_awaited(struct thread *t, enum arrival how, const struct thread *of);

#pragma GCC visibility pop

#endif
