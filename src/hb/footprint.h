/* What the explorer does with footprints (op/footprint.h). */
#ifndef HEDDLE_HB_FOOTPRINT_H
#define HEDDLE_HB_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "op/footprint.h"

/* Makes a long footprint shorter, without a change of what conflicts with it: plain accesses become rows, in which neighbours
 * are one.  The first access stays what it is, and a footprint of several stays one of several.  Returns the
 * new length. */
uint32_t footprint_compact(struct wire_access *a, uint32_t n);

/* Asks `test` about pairs of an access of a and one of b, among them all that overlap, until it says true.  What it said. */
typedef bool (*footprint_test)(void *arg, const struct wire_access *x, const struct wire_access *y);
bool footprint_pairs(const struct wire_access *a, uint32_t n, const struct wire_access *b, uint32_t m,
                     footprint_test test, void *arg);

#endif
