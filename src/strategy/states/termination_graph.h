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
        uint64_t from, to; /* hashes of states; TERMINATION_GRAPH_END: an end */
};

#define TERMINATION_GRAPH_END 0u

struct termination_graph {
        VEC(struct way) all;
};

void termination_graph_fini(struct termination_graph *w);
void termination_graph_reset(struct termination_graph *w);

/* Takes in an execution from its transition `from` on, up to the state before transition `to`.  The rest of it may be in states from
 * which not all was run.  false: out of memory. */
bool termination_graph_add(struct termination_graph *w, const struct trace *t, uint32_t from, uint32_t to);

/* From every state of an exploration that has reached all: is there a way to an end?  Ends the process when out of memory. */
bool termination_graph_can_end(struct termination_graph *w);

#endif
