/* The private writable memory of the process, and its pages that were write-protected. */
#ifndef HEDDLE_RT_WORLD_REGIONS_H
#define HEDDLE_RT_WORLD_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region {
        char *start;
        size_t size;
        char *copy;   /* snapshot.c: as it was */
        bool guarded; /* only pages that regions_each_page() reports have been written to */
};

#pragma GCC visibility push(hidden)

extern struct region regions[];
extern uint32_t n_regions;

/* Notes all of it; the main thread's stack is in use down to main_sp. */
void regions_read(void *main_sp);
void regions_add(void *arg, void *start, size_t size);
/* Copies it, and protects what is hardly ever written. */
void regions_save(void);
void regions_restore(void);

/* Calls f for all writable data of the program and its libraries, without stacks and heap.  `same`: it is as it was when the
 * snapshot was taken, but for the pages that snapshot_each_page() reports. */
void snapshot_each_data(void (*f)(const void *lo, const void *hi, bool same));
void snapshot_each_page(void (*f)(const void *lo, const void *hi));
/* A write to a protected page?  Then it may continue. */
bool snapshot_fault(uintptr_t addr);

#pragma GCC visibility pop

#endif
