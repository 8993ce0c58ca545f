/*
 * Memory that the program maps, unmaps or protects while it runs.
 *
 * Each function performs the system call of its name and returns the kernel's answer, or ends the execution when the
 * snapshot could not undo it.
 */
#ifndef HEDDLE_RT_MEMORY_AREA_H
#define HEDDLE_RT_MEMORY_AREA_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void area_save(void);
void area_restore(void);
/* Would that do nothing? */
bool area_is_unchanged(void);

/* Calls f for all that the program has mapped since.  False: parts of the heap are protected and cannot be read. */
bool area_each(void (*f)(const void *lo, const void *hi));

/* `slot` is the thread that calls. */
long area_mmap(uint32_t slot, const long *a);
long area_munmap(const long *a);
long area_mremap(uint32_t slot, const long *a);
long area_mprotect(long nr, const long *a);
long area_madvise(const long *a);
long area_brk(const long *a);

/* Advice that takes contents away; the rest is about speed. */
bool area_empties(int advice);

#pragma GCC visibility pop

#endif
