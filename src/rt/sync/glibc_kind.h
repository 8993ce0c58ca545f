/* The state of a lock as glibc's initialisers describe it. */
#ifndef HEDDLE_RT_SYNC_GLIBC_KIND_H
#define HEDDLE_RT_SYNC_GLIBC_KIND_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Of a free mutex with this __kind. */
uint64_t mutex_state(int kind);
/* Of a free read-write lock with these __flags, under a policy. */
uint64_t rwlock_state(int flags, uint32_t policy);
/* The same state under another policy. */
uint64_t rwlock_preferring(uint64_t state, uint32_t policy);

#pragma GCC visibility pop

#endif
