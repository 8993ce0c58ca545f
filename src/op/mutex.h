/*
 * Mutexes.  State: owner + 1 in bits 0-15, recursion depth - 1 in bits 16-31, type in bits 32-33, and the bits below.
 * A mutex whose owner has died is free; its next owner is notified.  One that cannot be recovered never makes a thread wait.
 */
#ifndef HEDDLE_OP_MUTEX_H
#define HEDDLE_OP_MUTEX_H

#include "op/state.h"

#define OP_MUTEX_OWNER(state) OP_OWNER(state)
#define OP_MUTEX_DEPTH(state) ((uint32_t)((state) >> 16) & 0xffffu)
#define OP_MUTEX_DEPTH_ONE    (UINT64_C(1) << 16)
#define OP_MUTEX_TYPE(state)  ((uint32_t)((state) >> 32) & 3u)
#define OP_MUTEX_NORMAL       0u /* types, as PTHREAD_MUTEX_*; adaptive ones are normal */
#define OP_MUTEX_RECURSIVE    1u
#define OP_MUTEX_ERRORCHECK   2u
#define OP_MUTEX_ROBUST       (UINT64_C(1) << 34)
#define OP_MUTEX_DIED         (UINT64_C(1) << 35) /* an owner ended with it; it is not consistent yet */
#define OP_MUTEX_LOST         (UINT64_C(1) << 36) /* not recoverable */
#define OP_MUTEX_HELD_BITS    UINT64_C(0xffffffff)

/* Locking: free, or its own and of a type that says so, or lost. */
static inline bool op_mutex_free(uint64_t state, uint32_t actor)
{
        return OP_MUTEX_OWNER(state) == 0 ||
               (OP_MUTEX_TYPE(state) != OP_MUTEX_NORMAL && OP_MUTEX_OWNER(state) == actor + 1) ||
               (state & OP_MUTEX_LOST);
}

#endif
