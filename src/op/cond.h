/* Condition variables.  State: waiters in bits 0-15, spurious wakeups so far in bits 16-31, and the clock. */
#ifndef HEDDLE_OP_COND_H
#define HEDDLE_OP_COND_H

#include "op/state.h"

#define OP_COND_WAITERS(s)   ((uint32_t)(s)&0xffffu)
#define OP_COND_SPURIOUS(s)  ((uint32_t)((s) >> 16) & 0xffffu)
#define OP_COND_SPURIOUS_ONE (UINT64_C(1) << 16)
#define OP_COND_MONOTONIC    (UINT64_C(1) << 32) /* its deadlines are times of CLOCK_MONOTONIC */

#endif
