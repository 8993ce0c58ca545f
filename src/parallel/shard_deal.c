/*
 * Dealing out.  Invariant: it depends on the order and the sizes of the parts alone, and on which of them are below one node, so
 * that all shards come to the same.
 */
#include "parallel/shard_deal.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/ptrmap.h"

#define LARGEST 0.25 /* of what a shard gets */

/* The tasks below one common node, which one shard gets: what they call for at that node is run once. */
struct group {
        double size;
        uint32_t first; /* the index of one of its tasks: a name that is the same in all shards */
        uint32_t shard; /* from 1 */
};

static int by_size(const void *a, const void *b)
{
        const struct group *x = a, *y = b;

        return x->size != y->size ? (x->size < y->size ? 1 : -1) : x->first < y->first ? -1 : x->first > y->first;
}

/* Groups that are larger than this are too much for one shard: each of their parts is a group. */
static double largest(const struct shard_part *parts, uint32_t n, uint32_t shards)
{
        double sum = 0;

        for (uint32_t i = 0; i < n; i++)
                sum += parts[i].size;
        return sum / shards * LARGEST;
}

/* A group for each node.  The number of them, or UINT32_MAX: out of memory. */
static uint32_t group_nodes(struct shard_part *parts, uint32_t n_parts, struct group *groups)
{
        struct ptrmap at = PTRMAP_INIT;
        uint32_t n = 0;

        for (uint32_t i = 0; i < n_parts && n != UINT32_MAX; i++) {
                struct group *g = ptrmap_find(&at, (uintptr_t)parts[i].node);

                if (!g) {
                        g = &groups[n++];
                        *g = (struct group){.first = i};
                        if (ptrmap_insert(&at, (uintptr_t)parts[i].node, g))
                                n = UINT32_MAX;
                }
                g->size += parts[i].size;
                parts[i].group = (uint32_t)(g - groups);
        }
        ptrmap_fini(&at, NULL);
        return n;
}

/* Takes those apart that are too large. */
static uint32_t split_groups(struct shard_part *parts, uint32_t n_parts, double most, struct group *groups, uint32_t n)
{
        uint32_t before = n;

        for (uint32_t i = 0; i < n_parts; i++) {
                struct group *g = &groups[parts[i].group];

                if (parts[i].group >= before || g->first == i || g->size <= most)
                        continue;
                g->size -= parts[i].size;
                groups[n] = (struct group){.first = i, .size = parts[i].size};
                parts[i].group = n++;
        }
        return n;
}

/* The largest first, each to the shard that has least. */
static uint64_t share_out(struct group *groups, uint32_t n, double *load, uint32_t shards)
{
        uint64_t hash = n;

        for (uint32_t i = 0; i < n; i++) {
                uint32_t least = 0;

                for (uint32_t k = 1; k < shards; k++)
                        least = load[k] < load[least] ? k : least;
                load[least] += groups[i].size;
                groups[i].shard = least + 1;
                hash = hash_mix(hash, groups[i].first);
        }
        return hash;
}

bool shard_deal(struct shard_part *parts, uint32_t n, uint32_t shards, uint64_t *hash)
{
        struct group *groups = calloc((size_t)n * 2 + 1, sizeof *groups);
        uint32_t *shard_of = calloc(n + 1, sizeof *shard_of), count = UINT32_MAX;
        double *load = calloc(shards, sizeof *load);

        if (groups && load && shard_of)
                count = group_nodes(parts, n, groups);
        if (count != UINT32_MAX) {
                count = split_groups(parts, n, largest(parts, n, shards), groups, count);
                for (uint32_t i = 0; i < n; i++)
                        parts[i].group = groups[parts[i].group].first;
                qsort(groups, count, sizeof *groups, by_size);
                *hash = share_out(groups, count, load, shards);
                for (uint32_t k = 0; k < count; k++)
                        shard_of[groups[k].first] = groups[k].shard;
                for (uint32_t i = 0; i < n; i++)
                        parts[i].shard = shard_of[parts[i].group];
        }
        free(groups);
        free(load);
        free(shard_of);
        return count != UINT32_MAX;
}
