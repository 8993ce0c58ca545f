/* The data races of an exploration, on the terminal. */
#ifndef HEDDLE_REPORT_RACELIST_H
#define HEDDLE_REPORT_RACELIST_H

#include "report/style.h"
#include "trace/finding.h"
#include "trace/symbols.h"

void racelist_put(const struct style *style, struct symbols *s, const struct result *r, bool verbose);

#endif
