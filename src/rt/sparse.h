/*
 * Copies of memory that is mostly zero.  Where the copy has long runs of zeroes, the memory is read when it is put back, and written
 * only if something else is there: that is most of what restoring the data of libraries and of threads takes.
 */
#ifndef HEDDLE_RT_SPARSE_H
#define HEDDLE_RT_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#define SPARSE_RUNS 12u

struct sparse_run {
        size_t data, zero; /* bytes as they are in the copy, and zeroes after them */
};

struct sparse {
        const char *copy;
        uint32_t n;
        struct sparse_run runs[SPARSE_RUNS];
};

#pragma GCC visibility push(hidden)

/* The copy has so many bytes; it stays. */
void sparse_init(struct sparse *s, const void *copy, size_t n);
/* The same as rt_copy() of all of the copy. */
void sparse_put(const struct sparse *s, void *to);

#pragma GCC visibility pop

#endif
