/* Each operation of a thread that may get signals looks for them. */
#ifndef HEDDLE_RT_SIGNAL_DELIVERY_LOOK_H
#define HEDDLE_RT_SIGNAL_DELIVERY_LOOK_H

#include "rt/signal/points.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The operation just logged has looked for messages. */
void delivery_looked(struct thread *t);

#pragma GCC visibility pop

#endif
