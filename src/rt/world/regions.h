/* The private writable memory of the process, and its pages that were write-protected. */
#ifndef HEDDLE_RT_WORLD_REGIONS_H
#define HEDDLE_RT_WORLD_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/sparse.h"

/* How a region becomes what it was.  Of the last two only the pages that snapshot_each_page() reports were written to. */
enum region_way {
        REGION_COPIED,
        REGION_GUARDED, /* write-protected, and copied page by page from the first write on */
        REGION_BACKED,  /* a private mapping of a file: the kernel drops the pages that were written to */
};

#define REGION_MAX_RUNS 16u

struct region_run { /* whole pages */
        char *lo, *hi;
};

struct region {
        char *start;
        size_t size;
        char *copy;                             /* as it was */
        struct region_run backed;               /* REGION_BACKED: its whole pages, ... */
        struct region_run hot[REGION_MAX_RUNS]; /* ... and those among them that most executions use: they are copied */
        uint32_t n_hot;
        enum region_way way;
        struct sparse all; /* REGION_COPIED: the copy */
};

#pragma GCC visibility push(hidden)

extern struct region regions[];
extern uint32_t n_regions;

/* Notes all of it; the main thread's stack is in use down to main_sp. */
void regions_read(void *main_sp);
void regions_add(void *arg, void *start, size_t size);
/* Copies it, protects what is hardly ever written, and backs what is large by a file. */
void regions_save(void);
void regions_restore(void);

/* The contents of a whole page that was not there when memory was restored, or not written since. */
void regions_page(char *page);

/* Calls f for all writable data of the program and its libraries, without stacks and heap. */
void snapshot_each_data(void (*f)(const void *lo, const void *hi, enum region_way way));
void snapshot_each_page(void (*f)(const void *lo, const void *hi));
/* Where the copy of what was at the beginning of a region is. */
const void *snapshot_copy(const void *start);
/* Does a range have pages that the kernel would fill with what they were, not with zeroes? */
bool snapshot_is_backed(uintptr_t addr, size_t size);
/* A write to a protected page?  Then it may continue. */
bool snapshot_fault(uintptr_t addr);

#pragma GCC visibility pop

#endif
