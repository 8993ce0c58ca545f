/*
 * Footprints: the accesses of a transition, as an array.  A long one ends with two *rows*: plain writes, then plain reads,
 * each in the order of their addresses and without overlap, in which a search finds what an access meets.  What is in front
 * of them is looked through.
 */
#ifndef HEDDLE_OP_FOOTPRINT_H
#define HEDDLE_OP_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "op/op.h"

/* Where the rows begin, and where they end. */
struct footprint_rows {
        uint32_t writes, reads, end;
};

static inline uint32_t footprint_row(const struct wire_access *a, uint32_t n, uint32_t mode)
{
        uint32_t i = n;

        while (i > 0 && a[i - 1].mode == mode && op_plain(&a[i - 1]) &&
               (i == n || a[i - 1].obj + a[i - 1].size <= a[i].obj))
                i--;
        return i;
}

static inline struct footprint_rows footprint_rows(const struct wire_access *a, uint32_t n)
{
        uint32_t reads = footprint_row(a, n, WIRE_MODE_READ);

        return (struct footprint_rows){footprint_row(a, reads, WIRE_MODE_WRITE), reads, n};
}

/* The first access of the row [row, end) that ends after `obj`, or `end`. */
static inline uint32_t footprint_find(const struct wire_access *a, uint32_t row, uint32_t end, uint64_t obj)
{
        while (row < end) {
                uint32_t mid = row + (end - row) / 2;
                if (a[mid].obj + a[mid].size > obj)
                        end = mid;
                else
                        row = mid + 1;
        }
        return row;
}

#endif
