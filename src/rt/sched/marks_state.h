/* What marks.c keeps of each thread: the marked functions on its call stack. */
#ifndef HEDDLE_RT_SCHED_MARKS_STATE_H
#define HEDDLE_RT_SCHED_MARKS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

struct mark_state {
        uint32_t trust_depth, lock_depth, quiet_depth; /* functions on the stack with this mark */
        bool sealed;                                   /* it is not to be preempted here, but where it waits */
        bool seal_begins;                              /* ... and has performed no operation since that is so */
        uint64_t rules_on;                             /* rules that match it, a bit each ... */
        uint64_t rules_mine;                           /* ... of these, those that hold for the thread */
        uint16_t rule_depth[WIRE_MAX_RULES];           /* functions on the stack that a rule names */
};

#endif
