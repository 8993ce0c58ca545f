/* Calls that lead from code that is watched into code that is not. */
#ifndef HEDDLE_PROGRAM_COVERAGE_H
#define HEDDLE_PROGRAM_COVERAGE_H

#include "engine/session.h"

/* Tells the target which slots lead there: it reports the first call while several threads run.  SESSION_OK or SESSION_FAIL. */
int outside_find(struct session *s);

#endif
