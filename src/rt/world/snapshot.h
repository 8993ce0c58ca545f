/* The program's memory, put back for every execution. */
#ifndef HEDDLE_RT_WORLD_SNAPSHOT_H
#define HEDDLE_RT_WORLD_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void snapshot_take(void *main_sp);
void snapshot_restore(void);
/* Calls f for all writable data of the program and its libraries, without stacks and heap.  `same`: it is as it was when the
 * snapshot was taken, but for the pages that snapshot_each_page() reports. */
void snapshot_each_data(void (*f)(const void *lo, const void *hi, bool same));
void snapshot_each_page(void (*f)(const void *lo, const void *hi));
/* A write to a protected page?  Then it may continue. */
bool snapshot_fault(uintptr_t addr);

#pragma GCC visibility pop

#endif
