/* Memory of the runtime's own. */
#ifndef HEDDLE_RT_MAP_H
#define HEDDLE_RT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Zeroed and not reserved; a fault if there is none.  It is never given back. */
void *rt_map(size_t size);
/* The same at an address; false: there is something, or no room. */
bool rt_map_at(uintptr_t at, size_t size);

#pragma GCC visibility pop

#endif
