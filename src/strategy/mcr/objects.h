/*
 * What operations on synchronisation objects return and leave behind, as functions of the object's state.
 *
 * Whether one may run at all is op_enabled() of op/op.h.  Every execution is compared with these functions
 * (learn.c): an object in another state than they say ends the search.
 */
#ifndef HEDDLE_STRATEGY_MCR_OBJECTS_H
#define HEDDLE_STRATEGY_MCR_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

struct object_effect {
        uint64_t result; /* what the thread can tell */
        uint64_t after;  /* the state */
};

enum object_result { OBJECT_DONE, OBJECT_REFUSED, OBJECT_LATE, OBJECT_GONE, OBJECT_DIED, OBJECT_LOST, OBJECT_QUEUED };

/* Is it one that object_do() knows? */
bool object_known(uint32_t op);
/* Does it leave a state that its arguments decide, which only executions show? */
bool object_sets(uint32_t op);

/* The effect of an operation that may run.  `sets`: the state that it leaves, if object_sets(). */
struct object_effect object_do(uint32_t op, uint64_t state, uint32_t actor, uint64_t sets);

#endif
