/*
 * The outcomes of --observe as a table, the way litmus tools show them.
 */
#ifndef HEDDLE_REPORT_OUTCOMES_H
#define HEDDLE_REPORT_OUTCOMES_H

#include "report/style.h"
#include "verdict/result.h"
#include "binary/symbols.h"

/* The distinct outputs of the program, if there is more than one. */
void outputs_put(const struct style *style, const struct result *r);

/* The last lines that the program printed on standard error in the execution of a failure. */
void errors_put(const struct style *style, const struct finding *fd);

void outcomes_put(const struct style *style, struct symbols *symbols, const struct result *r);

#endif
