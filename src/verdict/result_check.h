/* What holds of every result before it becomes a verdict. */
#ifndef HEDDLE_VERDICT_RESULT_CHECK_H
#define HEDDLE_VERDICT_RESULT_CHECK_H

#include "verdict/result.h"

/* Ends with a fault (base/fault.h) if the result contradicts itself. */
void result_check(const struct result *r);

#endif
