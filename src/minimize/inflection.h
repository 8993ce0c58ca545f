/* The decision after which a failure is certain. */
#ifndef HEDDLE_MINIMIZE_INFLECTION_H
#define HEDDLE_MINIMIZE_INFLECTION_H

#include "minimize/decision_list.h"

/* The smallest number of decisions of the plan after which every execution fails in the same way (a failure of the same
 * kind); 0: every execution of the program does.  UINT32_MAX: not decided until q->until. */
uint32_t inflection_find(struct quest *q, const struct plan *p);

#endif
