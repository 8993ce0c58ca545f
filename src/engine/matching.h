/*
 * Programs with few states and many orders: a search over states takes the place of one over executions where it pays.
 *
 * It is tried after many executions, unless the end is near as far as that is known, for a bounded number of runs.  If it is not
 * done by then, the strategy starts again, and later the trial is repeated with more runs.
 */
#ifndef HEDDLE_ENGINE_MATCHING_H
#define HEDDLE_ENGINE_MATCHING_H

#include <stdbool.h>

struct session;

/* Is a trial to begin, or to end without result, after this execution?  Then whether states are compared has changed, and the
 * strategy is to be replaced. */
bool matching_turns(struct session *s);

#endif
