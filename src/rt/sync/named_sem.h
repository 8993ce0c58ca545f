/* Named semaphores: the part of them that an execution changes, for the snapshot. */
#ifndef HEDDLE_RT_SYNC_NAMED_SEM_H
#define HEDDLE_RT_SYNC_NAMED_SEM_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* The names in use now, and where they are. */
void *named_state(size_t *size);

#pragma GCC visibility pop

#endif
