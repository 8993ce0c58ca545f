/* Entries of an execution, one by one: which operation of the machine each stands for. */
#ifndef HEDDLE_STRATEGY_MCR_UNDERSTAND_H
#define HEDDLE_STRATEGY_MCR_UNDERSTAND_H

#include "strategy/mcr/machine.h"
#include "strategy/strategy.h"
#include "trace/trace.h"

/* An execution that is learnt. */
struct learner {
        VEC(uint64_t) now;           /* the value of each cell, at the entry under way */
        VEC(uint32_t) setter;        /* of each object: the node that has set its state, until that is seen; else 0 */
        VEC(uint32_t) at;            /* the node of each thread */
        struct ordered_open open;    /* of the transition under way */
        struct hash128 class, ended; /* of the end: machine_class(), machine_class_end() */
        enum machine_end end;
        bool relaxed, plain;             /* there are atomics that order nothing; accesses that are not atomic */
        bool looks;                      /* ... failed tries, and other looks at objects, which order nothing, either */
        uint64_t reads;                  /* whose values are a part of the class */
        VEC(uint32_t) failed;            /* of each thread that failed: its last entry, + 1; else 0 */
        bool observes;                   /* --observe */
        bool loose;                      /* --static published: what is irrelevant need not keep its value */
        const struct strategy *strategy; /* knows which accesses are irrelevant (--static) */
        const char *reason;              /* what is not modelled, or NULL */
};

/* An entry, understood: the operation, and what came of it. */
struct event {
        struct node node;
        uint64_t result, wrote;
        bool writes; /* an update that has written, an operation that has changed its object (ordered.h) */
};

/* Says what is not modelled; false. */
bool learner_unmodelled(struct learner *l, const char *reason);
/* New cells have their first values. */
void learner_grow(struct learner *l, const struct tries *t);
/* Whether the block that the cell lies in was freed, as a part of a result. */
uint64_t learner_liveness(const struct learner *l, const struct tries *t, uint32_t cell);

/* What an entry says of any operation. */
void understand_begin(const struct wire_event *e, struct event *out);
/* What an entry says; before: the memory it goes to.  false: it is not modelled. */
bool understand(struct learner *l, struct tries *t, const struct wire_event *e, uint64_t before, struct event *out);

#endif
