/* What objects need of read-write locks. */
#ifndef HEDDLE_RT_SYNC_RWLOCK_H
#define HEDDLE_RT_SYNC_RWLOCK_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The state of a free lock with these __flags of glibc's, under a policy. */
uint64_t rwlock_state(int flags, uint32_t policy);
/* The same state under another policy. */
uint64_t rwlock_preferring(uint64_t state, uint32_t policy);

#pragma GCC visibility pop

#endif
