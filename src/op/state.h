/*
 * What the state words of all kinds of objects have in common.
 *
 *   bits  0-15  the thread that has it alone, + 1 (mutex, spinlock, stream, writer of a read-write lock; 0: none)
 *   bits 44-55  under a wakeup policy: which of the waiting threads is next, + 1 (0: none waits)
 *   bit  63     destroyed
 */
#ifndef HEDDLE_OP_STATE_H
#define HEDDLE_OP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define OP_OWNER(state) ((uint32_t)(state)&0xffffu)
#define OP_NEXT(state)  ((uint32_t)((state) >> 44) & 0xfffu)
#define OP_NEXT_BITS    (UINT64_C(0xfff) << 44)
#define OP_GONE         (UINT64_C(1) << 63)

/* Is it this actor's turn, as far as the policy goes? */
static inline bool op_is_next(uint64_t state, uint32_t actor)
{
        return OP_NEXT(state) == actor + 1;
}

#endif
