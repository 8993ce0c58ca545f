/* What the explorer does with footprints (op/footprint.h). */
#ifndef HEDDLE_HB_FOOTPRINT_H
#define HEDDLE_HB_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "op/footprint.h"

#define FOOTPRINT_FEW 16u /* a footprint up to here stays as it is */

/* Makes a long footprint shorter, without a change of what conflicts with it: plain accesses become rows, in which neighbours
 * are one.  The first access stays what it is, and a footprint of several stays one of several.  Returns the
 * new length. */
uint32_t footprint_compact(struct wire_access *a, uint32_t n);

typedef bool (*footprint_test)(void *arg, const struct wire_access *x, const struct wire_access *y);

#define FOOTPRINT_PAIRS 1024u /* so many are looked through */

/* footprint_pairs() for long ones. */
bool footprint_pairs_long(const struct wire_access *a, uint32_t n, const struct wire_access *b, uint32_t m,
                          footprint_test test, void *arg);

/* Asks `test` about pairs of an access of a and one of b, among them all that overlap, until it says true.  What it said.
 * Most footprints are one access: this is a part of its caller, and so is the test. */
static inline __attribute__((always_inline)) bool footprint_pairs(const struct wire_access *a, uint32_t n,
                                                                  const struct wire_access *b, uint32_t m,
                                                                  footprint_test test, void *arg)
{
        if ((uint64_t)n * m > FOOTPRINT_PAIRS)
                return footprint_pairs_long(a, n, b, m, test, arg);
        for (uint32_t i = 0; i < n; i++)
                for (uint32_t k = 0; k < m; k++)
                        if (test(arg, &a[i], &b[k]))
                                return true;
        return false;
}

#endif
