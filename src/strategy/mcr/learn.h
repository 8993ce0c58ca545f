/* What an execution teaches: the nodes of its threads' tries, and the first values of cells. */
#ifndef HEDDLE_STRATEGY_MCR_LEARN_H
#define HEDDLE_STRATEGY_MCR_LEARN_H

#include "strategy/mcr/machine.h"
#include "trace/trace.h"

struct learner {
        VEC(uint64_t) now;          /* the value of each cell, at the entry under way */
        VEC(uint32_t) setter;       /* of each object: the node that has set its state, until that is seen; else 0 */
        VEC(uint32_t) at;           /* the node of each thread */
        struct hash128 class, heap; /* of the end: machine_class(), machine_class_heap() */
        bool relaxed, plain;        /* there are atomics that order nothing; accesses that are not atomic */
        VEC(uint32_t) failed;       /* of each thread that failed: its last entry, + 1; else 0 */
        bool observes;              /* --observe */
        const char *reason;         /* what is not modelled, or NULL */
};

void learner_fini(struct learner *l);

/* Adds an execution, recorded with WIRE_VALUES.  false: it has something that is not modelled; `reason` says what. */
bool learner_add(struct learner *l, struct tries *t, const struct trace *trace);

#endif
