/* See glibc_kind.h. */
#include "rt/sync/glibc_kind.h"

#include <pthread.h>

#include "rt/rt.h"

#define KIND_ROBUST 16 /* in __kind */

uint64_t mutex_state(int kind)
{
        uint64_t type = kind & 3;

        return (type == PTHREAD_MUTEX_ADAPTIVE_NP ? 0 : type << 32) | (kind & KIND_ROBUST ? OP_MUTEX_ROBUST : 0);
}

uint64_t rwlock_preferring(uint64_t state, uint32_t policy)
{
        if (policy == WIRE_WAKEUP_ARBITRARY)
                return state;
        state &= ~OP_RWLOCK_PREFER(3);
        return policy == WIRE_WAKEUP_WRITER   ? state | OP_RWLOCK_PREFER(OP_RWLOCK_WRITERS)
               : policy == WIRE_WAKEUP_READER ? state | OP_RWLOCK_PREFER(OP_RWLOCK_READERS_FIRST)
                                              : state;
}

uint64_t rwlock_state(int flags, uint32_t policy)
{
        bool writers = flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;

        return rwlock_preferring(writers ? OP_RWLOCK_PREFER(OP_RWLOCK_WRITERS) : 0, policy);
}
