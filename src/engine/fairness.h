/*
 * Loops that may not end (--fair-after, --timeout-rounds; docs/proofs/loops.md).
 *
 * An exploration begins without limits: programs whose loops end are explored completely.  When executions grow, of a thread
 * that loops until another one stops it, or of a wait that times out again and again, limits apply and the exploration restarts.
 */
#ifndef HEDDLE_ENGINE_FAIRNESS_H
#define HEDDLE_ENGINE_FAIRNESS_H

#include <stdbool.h>

#include "engine/session.h"

/* The execution that was just run shows that limits are needed, which are set: the exploration restarts. */
bool fairness_needed(struct session *s);

/* Counts rounds of the execution, and notes if a limit has kept behaviour from being explored.  false: out of memory. */
bool fairness_look(struct session *s);

/* All is explored within the limit.  true: there is a larger one, with which the exploration restarts. */
bool fairness_more(struct session *s);

/* The exploration is over: how many rounds were covered. */
void fairness_end(struct session *s);

#endif
