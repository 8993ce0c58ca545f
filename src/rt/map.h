/* Memory of the runtime's own. */
#ifndef HEDDLE_RT_MAP_H
#define HEDDLE_RT_MAP_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Zeroed and not reserved; a fault if there is none.  It is never given back. */
void *rt_map(size_t size);

#pragma GCC visibility pop

#endif
