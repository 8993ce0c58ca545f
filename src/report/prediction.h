/* What --strategy predict foresaw, for people. */
#ifndef HEDDLE_REPORT_PREDICTION_H
#define HEDDLE_REPORT_PREDICTION_H

#include <stdio.h>

#include "verdict/stats.h"

/* Lines of a text report; none with other strategies. */
void prediction_put(FILE *out, const struct stats *st);

#endif
