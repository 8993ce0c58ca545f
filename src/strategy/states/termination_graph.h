/*
 * Ways between states, as executions took them: is there one from every state to an end?
 */
#ifndef HEDDLE_STRATEGY_STATES_TERMINATION_GRAPH_H
#define HEDDLE_STRATEGY_STATES_TERMINATION_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/trace.h"

struct way {
        uint64_t from, to; /* hashes of states; WAYS_END: an end */
};

#define WAYS_END 0u

struct ways {
        VEC(struct way) all;
};

void ways_fini(struct ways *w);
void ways_reset(struct ways *w);

/* Takes in an execution from its transition `from` on.  false: out of memory. */
bool ways_add(struct ways *w, const struct trace *t, uint32_t from);

/* From every state of an exploration that has reached all: is there a way to an end?  Ends the process when out of memory. */
bool ways_out(struct ways *w);

#endif
