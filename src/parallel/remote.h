/* The coordinator of a search on many machines (--spool, --cluster). */
#ifndef HEDDLE_PARALLEL_REMOTE_H
#define HEDDLE_PARALLEL_REMOTE_H

#include "engine/loop.h"

/* Explores with the workers that take jobs from the store config->store, and with config->jobs workers of this process (one,
 * if none are asked for).  What was found is in the result.  RUN_OK or below 0. */
MUST_CHECK int remote_explore(struct session *s, loop_progress progress, void *arg);

#endif
