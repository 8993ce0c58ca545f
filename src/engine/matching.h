/*
 * Programs with few states and many orders: a search over states takes the place of one over executions where it pays.
 *
 * That is tried after many executions, while the strategy waits: its tree and its figures stay, and the runs of a trial count as
 * probes.  A trial costs a small part of what is expected to be left, and no more than what was spent.  Where it reaches all
 * states, a search over states starts from the beginning; otherwise the strategy goes on, and later another trial may be worth it.
 */
#ifndef HEDDLE_ENGINE_MATCHING_H
#define HEDDLE_ENGINE_MATCHING_H

#include <stdbool.h>

#include "base/error.h"

struct session;

/* After an execution: begins a trial that is due, ends one that has cost enough.  RUN_OK or below 0. */
MUST_CHECK int matching_turn(struct session *s);

/* Ends the trial, if there is one: the strategy goes on where it was.  counts: why the result is not complete, as far as the trial
 * has shown that. */
void matching_stop(struct session *s, bool counts);

/* The trial has reached all states: is that all there is?  Then the strategy is no more needed, and states are compared from now
 * on; otherwise it goes on. */
bool matching_done(struct session *s);

#endif
