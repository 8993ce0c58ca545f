/* Calls that lead from code that is watched into code that is not. */
#ifndef HEDDLE_PROGRAM_COVERAGE_H
#define HEDDLE_PROGRAM_COVERAGE_H

#include "program/program.h"

/* Tells the target which slots lead there: it reports the first call while several threads run.  `left`: for each module, does it
 * have atomics that could not be made operations?  RUN_OK or ERROR_FAIL. */
MUST_CHECK int outside_find(struct program *p, const bool *left);

/* Is it the path of a plugin (--ops), whose code declares what it does? */
bool outside_is_plugin(const struct program *p, const char *path);

#endif
