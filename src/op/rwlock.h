/*
 * Read-write locks.  State: writer + 1 in bits 0-15, readers in bits 16-27, what it prefers in bits 28-29, and in bits
 * 32-43 how many of the preferred ones wait.  With no preference any of those that wait may be next.
 */
#ifndef HEDDLE_OP_RWLOCK_H
#define HEDDLE_OP_RWLOCK_H

#include "op/state.h"

#define OP_RWLOCK_READER        (UINT64_C(1) << 16)
#define OP_RWLOCK_READERS(s)    ((uint32_t)((s) >> 16) & 0xfffu)
#define OP_RWLOCK_PREFERS(s)    ((uint32_t)((s) >> 28) & 3u)
#define OP_RWLOCK_PREFER(which) ((uint64_t)(which) << 28)
#define OP_RWLOCK_WAITER        (UINT64_C(1) << 32)
#define OP_RWLOCK_WAITERS(s)    ((uint32_t)((s) >> 32) & 0xfffu)

enum { OP_RWLOCK_NONE, OP_RWLOCK_WRITERS, OP_RWLOCK_READERS_FIRST };

static inline bool op_rwlock_may_read(uint64_t s)
{
        return OP_OWNER(s) == 0 && !(OP_RWLOCK_PREFERS(s) == OP_RWLOCK_WRITERS && OP_RWLOCK_WAITERS(s));
}

static inline bool op_rwlock_may_write(uint64_t s)
{
        return OP_OWNER(s) == 0 && OP_RWLOCK_READERS(s) == 0 &&
               !(OP_RWLOCK_PREFERS(s) == OP_RWLOCK_READERS_FIRST && OP_RWLOCK_WAITERS(s));
}

#endif
