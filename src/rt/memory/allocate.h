/* Allocating and freeing, as the program's calls do it. */
#ifndef HEDDLE_RT_MEMORY_ALLOCATE_H
#define HEDDLE_RT_MEMORY_ALLOCATE_H

#include <stddef.h>
#include <stdint.h>

#include "rt/memory/heap.h"

#pragma GCC visibility push(hidden)

/* align is a power of two, 0: that of any block. */
void *heap_alloc(uint64_t align, uint64_t size, enum heap_how how, uintptr_t site);
void heap_free(void *p, enum heap_how how, uintptr_t site);
void *heap_realloc(void *p, size_t size, uintptr_t site);

#pragma GCC visibility pop

#endif
