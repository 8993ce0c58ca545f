/*
 * Footprints of blocks have as many accesses as the block.  Invariant of footprint_compact(): the places that are touched in
 * each mode stay the same.
 */
#include "hb/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"

static int by_place(const void *a, const void *b)
{
        const struct wire_access *x = a, *y = b;

        if (x->mode != y->mode) /* writes first */
                return x->mode == WIRE_MODE_WRITE ? -1 : 1;
        return x->obj < y->obj ? -1 : x->obj > y->obj ? 1 : x->size < y->size ? -1 : x->size > y->size;
}

/* Neighbours in a sorted array of one mode become one access.  The new length. */
static uint32_t join(struct wire_access *a, uint32_t n)
{
        uint32_t k = 0;

        for (uint32_t i = 0; i < n; i++) {
                struct wire_access *last = k ? &a[k - 1] : NULL;
                uint64_t end = a[i].obj + a[i].size;

                if (last && a[i].obj <= last->obj + last->size && end - last->obj <= UINT32_MAX) {
                        if (end > last->obj + last->size)
                                last->size = (uint32_t)(end - last->obj);
                        continue;
                }
                a[k] = a[i];
                a[k].op = a[i].mode == WIRE_MODE_WRITE ? OP_WRITE : OP_READ;
                a[k++].value = 0;
        }
        return k;
}

uint32_t footprint_compact(struct wire_access *a, uint32_t n)
{
        uint32_t others = 1, writes = 0, reads;
        struct wire_access *row;

        if (n <= FOOTPRINT_FEW)
                return n;
        for (uint32_t i = 1; i < n; i++) /* what is not plain comes to the front, in its order */
                if (!op_plain(&a[i])) {
                        struct wire_access x = a[i];
                        a[i] = a[others];
                        a[others++] = x;
                }
        row = &a[others];
        n -= others;
        qsort(row, n, sizeof *row, by_place);
        while (writes < n && row[writes].mode == WIRE_MODE_WRITE)
                writes++;
        reads = join(row + writes, n - writes);
        n = join(row, writes);
        memmove(row + n, row + writes, reads * sizeof *row);
        return others + n + reads;
}

/* x and what it meets of a row.  `turned`: the row is of the footprint that `test` is asked about first. */
static bool row_pairs(const struct wire_access *x, const struct wire_access *b, uint32_t row, uint32_t end,
                      footprint_test test, void *arg, bool turned)
{
        for (uint32_t k = footprint_find(b, row, end, x->obj); k < end && b[k].obj < x->obj + x->size; k++)
                if (turned ? test(arg, &b[k], x) : test(arg, x, &b[k]))
                        return true;
        return false;
}

bool footprint_pairs_long(const struct wire_access *a, uint32_t n, const struct wire_access *b, uint32_t m,
                          footprint_test test, void *arg)
{
        struct footprint_rows of_a = footprint_rows(a, n), of_b = footprint_rows(b, m);

        for (uint32_t i = 0; i < of_a.writes && !late_soon(); i++)
                for (uint32_t k = 0; k < of_b.writes; k++)
                        if (test(arg, &a[i], &b[k]))
                                return true;
        for (uint32_t i = 0; i < n && !late_soon(); i++)
                if (row_pairs(&a[i], b, of_b.writes, of_b.reads, test, arg, false) ||
                    row_pairs(&a[i], b, of_b.reads, of_b.end, test, arg, false))
                        return true;
        for (uint32_t k = 0; k < of_b.writes && !late_soon(); k++)
                if (row_pairs(&b[k], a, of_a.writes, of_a.reads, test, arg, true) ||
                    row_pairs(&b[k], a, of_a.reads, of_a.end, test, arg, true))
                        return true;
        return false;
}
