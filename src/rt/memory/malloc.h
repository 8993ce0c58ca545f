/* malloc and the like. */
#ifndef HEDDLE_RT_MEMORY_MALLOC_H
#define HEDDLE_RT_MEMORY_MALLOC_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Was this process started by heddle?  Right from the first call of the process on, constructors included. */
bool heap_is_target(void);

#pragma GCC visibility pop

#endif
