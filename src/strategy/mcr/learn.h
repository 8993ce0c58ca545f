/* What an execution teaches: the nodes of its threads' tries, and the first values of cells. */
#ifndef HEDDLE_STRATEGY_MCR_LEARN_H
#define HEDDLE_STRATEGY_MCR_LEARN_H

#include "strategy/mcr/understand.h"

void learner_fini(struct learner *l);

/* Adds an execution, recorded with WIRE_VALUES.  false: it has something that is not modelled; `reason` says what. */
bool learner_add(struct learner *l, struct tries *t, const struct trace *trace);

/* The reason where an execution reads clocks, and those before it did not: learnt anew with `clocked` of the tries, all are modelled. */
extern const char learner_clocks[];

#endif
