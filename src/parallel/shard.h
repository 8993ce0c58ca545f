/* --shard: a part of an exploration, chosen without communication with the other shards. */
#ifndef HEDDLE_PARALLEL_SHARD_H
#define HEDDLE_PARALLEL_SHARD_H

#include "engine/loop.h"

/* Explores shard config->shard of config->shards, and fills result->shard.  RUN_OK or below 0. */
MUST_CHECK int shard_explore(struct session *s, loop_progress progress, void *arg);

#endif
