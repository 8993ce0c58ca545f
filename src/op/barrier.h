/*
 * Barriers.  State: how many are there in bits 0-15, how many it takes in bits 16-31, the number of the round in bits
 * 32-55.
 *
 * Arrivals of one round commute; those of different rounds do not.  An arrival touches four bytes of the barrier as one
 * that commutes, and the other four as a read; from round to round the halves change places.  Each round also has an
 * object of its own, through which all threads that leave come after all that arrived.
 */
#ifndef HEDDLE_OP_BARRIER_H
#define HEDDLE_OP_BARRIER_H

#include "op/state.h"

#define OP_BARRIER_ARRIVED(s)     ((uint32_t)(s)&0xffffu)
#define OP_BARRIER_COUNT(s)       ((uint32_t)((s) >> 16) & 0xffffu)
#define OP_BARRIER_ROUND(s)       ((uint32_t)((s) >> 32) & 0xffffffu)
#define OP_BARRIER_INITIAL(count) ((uint64_t)(count) << 16)

#endif
