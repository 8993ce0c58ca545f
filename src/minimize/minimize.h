/* Failures made as simple as they can be before they are shown. */
#ifndef HEDDLE_MINIMIZE_MINIMIZE_H
#define HEDDLE_MINIMIZE_MINIMIZE_H

#include "engine/judge.h"

/* Replaces the executions of all findings of the result by simpler ones that show the same, within `seconds` in all;
 * fills `minimized` of each.  No figure of the exploration changes.  Whatever goes wrong leaves a finding as it was. */
void minimize_all(struct judge *j, double seconds);

#endif
