/*
 * The schedule as a table: a column for each thread, a row for each stretch.
 */
#ifndef HEDDLE_REPORT_TABLE_H
#define HEDDLE_REPORT_TABLE_H

#include <stdbool.h>

#include "report/timeline.h"
#include "report/style.h"

/* Writes the table.  Where the columns do not fit, one list instead, with the thread's name before each stretch.
 * Unless `verbose`, the middle of a table of very many rows is omitted. */
void table_put(const struct style *style, struct symbols *symbols, const struct trace *t, const struct stretches *s,
               bool verbose);

#endif
