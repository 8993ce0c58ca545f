/* Shards of a strategy that is divided without a tree (strategy/share.h, struct parts_ops). */
#ifndef HEDDLE_PARALLEL_SHARD_PARTS_H
#define HEDDLE_PARALLEL_SHARD_PARTS_H

#include "engine/loop.h"

/* Explores the parts of this shard.  RUN_OK or below 0.  Another strategy may have taken the place of the session's, because that does not
 * model the program: then nothing is explored. */
MUST_CHECK int shard_parts_explore(struct session *s, loop_progress progress, void *arg);

/* Shows the progress of a shard, ten times a second at most. */
void shard_tick(struct session *s, loop_progress progress, void *arg);

#endif
