/*
 * Data races that no value tells apart: the search looks for pairs of accesses that no execution has shown in this order, and
 * has them run one right after the other.
 */
#ifndef HEDDLE_STRATEGY_MCR_RACES_H
#define HEDDLE_STRATEGY_MCR_RACES_H

#include "strategy/mcr/machine.h"
#include "strategy/mcr/seen.h"

struct races {
        struct seen seen;     /* pairs of accesses that were run, in this order */
        struct hash128 found; /* the pair that is to be run */
};

/* The step that led to the state of the machine: what the machine had before it. */
struct races_step {
        uint32_t changes, path, thread, choice;
};

/* Are the two operations a data race, or a free and a use of the block, if both write that can? */
bool races_are(const struct tries *t, const struct node *a, const struct node *b);

/* Where one of these is true, `path` of the machine shows the race. */

/* ... between the next operations of two threads in this state. */
bool races_next(struct races *r, struct machine *m);
/* With store buffers stores are not points, nor are accesses in blocks.  Without clocks in the states, what one thread has done
 * since its last point is compared with what another has done since its own, and with its step from here, which led to the node
 * in `ends` (0: it has taken none).  chain: the state is one within a chain of flushes. */
bool races_recent(struct races *r, struct machine *m, const uint32_t *ends, uint32_t n, bool chain);
/* ... between an access of the last step and one of another thread that did not happen before it. */
bool races_unordered(struct races *r, struct machine *m, const struct races_step *f);
/* The same of delayed stores before the first step: of threads that were created there. */
bool races_begun(struct races *r, struct machine *m);

#endif
