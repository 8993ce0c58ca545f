/* Which shard gets which part of a plan (shard.c). */
#ifndef HEDDLE_PARALLEL_SHARD_DEAL_H
#define HEDDLE_PARALLEL_SHARD_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/session.h"

struct shard_part {
        double size;
        uint32_t index; /* a name that is the same in all shards */
        uint32_t shard; /* shard_deal() says: from 1 */
};

/* Deals n parts out to the shards, so that all have about as much to do; the parts are in order of their index before and after.  *hash: of
 * how.  The same for the same parts.  false: out of memory. */
bool shard_deal(struct shard_part *parts, uint32_t n, uint32_t shards, uint64_t *hash);

/* The executions of a plan, which all shards have run, are those of the first shard. */
void shard_count_plan(struct session *s, uint64_t planned);

#endif
