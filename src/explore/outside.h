/* Calls that lead from code that is watched into code that is not. */
#ifndef HEDDLE_EXPLORE_OUTSIDE_H
#define HEDDLE_EXPLORE_OUTSIDE_H

#include "explore/session.h"

/* Tells the target which slots lead there: it reports the first call while several threads run.  SESSION_OK or SESSION_FAIL. */
int outside_find(struct session *s);

#endif
