/* Which shard gets which part of a plan (shard.c). */
#ifndef HEDDLE_PARALLEL_SHARD_DEAL_H
#define HEDDLE_PARALLEL_SHARD_DEAL_H

#include <stdbool.h>
#include <stdint.h>

struct shard_part {
        const void *node; /* the common node that it is below */
        double size;
        uint32_t shard; /* shard_deal() says: from 1 */
        uint32_t group; /* scratch */
};

/* Deals n parts out to the shards: the parts below one node to one of them, unless that is too much, all with about as much to do.  *hash: of how.  The
 * same for the same parts.  false: out of memory. */
bool shard_deal(struct shard_part *parts, uint32_t n, uint32_t shards, uint64_t *hash);

#endif
