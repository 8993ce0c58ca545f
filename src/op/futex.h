/*
 * Futexes.  The `value` of entries:
 *
 *   wait     the word in bits 0-31; in bits 32-63 the complement of its bit set
 *   wake     how many at most in bits 0-31; in bits 32-63 the bit set
 *   requeue  how many are woken in bits 0-15, and moved in bits 16-31, at most; in bits 32-63 how far away the word is that they
 *            are moved to, OP_FUTEX_FAR: too far
 */
#ifndef HEDDLE_OP_FUTEX_H
#define HEDDLE_OP_FUTEX_H

#include <stdint.h>

#define OP_FUTEX_WAIT_BITS(value)  (~(uint32_t)((value) >> 32))
#define OP_FUTEX_WAKE_LIMIT(value) ((uint32_t)(value))
#define OP_FUTEX_WAKE_BITS(value)  ((uint32_t)((value) >> 32))
#define OP_FUTEX_MOVE_LIMIT(value) ((uint32_t)(value)&0xffffu)
#define OP_FUTEX_MOVE_MOVES(value) ((uint32_t)(value) >> 16)
#define OP_FUTEX_MOVE_TO(value)    ((int32_t)((value) >> 32))
#define OP_FUTEX_FAR               INT32_MIN

#define OP_FUTEX_SUBSETS 1000u

/* Subsets of k out of n, at most OP_FUTEX_SUBSETS. */
static inline uint32_t op_futex_subsets(uint32_t n, uint32_t k)
{
        uint64_t r = 1;

        for (uint32_t i = 1; i <= k && r <= OP_FUTEX_SUBSETS; i++)
                r = r * (n - k + i) / i;
        return r <= OP_FUTEX_SUBSETS ? (uint32_t)r : OP_FUTEX_SUBSETS;
}

static inline uint64_t op_futex_move(uint64_t word, uint64_t to, uint32_t limit, uint32_t moves)
{
        int64_t far = (int64_t)(to - word);

        if (far <= INT32_MIN || far > INT32_MAX)
                far = OP_FUTEX_FAR;
        return (limit < 0xffff ? limit : 0xffff) | (uint64_t)(moves < 0xffff ? moves : 0xffff) << 16 |
               (uint64_t)(uint32_t)far << 32;
}

#endif
