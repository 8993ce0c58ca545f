/* --jobs: several explorers, each with a target of its own, share one exploration. */
#ifndef HEDDLE_PARALLEL_COORDINATOR_H
#define HEDDLE_PARALLEL_COORDINATOR_H

#include "engine/loop.h"
#include "engine/session.h"
#include "strategy/strategy.h"

/* Continues the exploration in config->jobs processes, to its end or a limit, and brings what they found together in
 * s->result.  RUN_OK, with the limits that were reached in *why (a set of reasons), or negative with s->why. */
int coordinator_explore(struct session *s, struct strategy *strategy, uint64_t *why, loop_progress progress, void *arg);

#endif
