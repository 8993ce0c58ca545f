/* Calls that lead from code that is watched into code that is not. */
#ifndef HEDDLE_PROGRAM_COVERAGE_H
#define HEDDLE_PROGRAM_COVERAGE_H

#include "program/program.h"

/* Tells the target which slots lead there: it reports the first call while several threads run.  RUN_OK or ERROR_FAIL. */
MUST_CHECK int outside_find(struct program *p);

#endif
