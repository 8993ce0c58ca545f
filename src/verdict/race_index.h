/* The races of a result, found by their places. */
#ifndef HEDDLE_VERDICT_RACE_INDEX_H
#define HEDDLE_VERDICT_RACE_INDEX_H

#include "verdict/result.h"

/* The race of the same places as `like`, or NULL. */
struct race *race_table_find(const struct result *r, const struct race *like);

/* Adds a race that is not there; what it owns is the table's now.  false: out of memory. */
bool race_table_add(struct result *r, const struct race *race);

#endif
