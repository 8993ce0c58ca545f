/* What threads do next that have stopped before they did it. */
#ifndef HEDDLE_STRATEGY_MCR_STOPS_H
#define HEDDLE_STRATEGY_MCR_STOPS_H

#include "strategy/mcr/understand.h"

/* A thread is at an operation that has not been performed.  false: it is not modelled. */
bool stops_pending(struct learner *l, struct tries *t, uint32_t thread, const struct wire_thread *w, struct node *is);

#endif
