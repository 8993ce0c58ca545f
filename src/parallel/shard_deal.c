/*
 * Dealing out: the largest part first, each to the shard that has least.  Invariant: it depends on the order and the sizes of the parts
 * alone, so that all shards come to the same.
 */
#include "parallel/shard_deal.h"

#include <stdlib.h>

#include "base/hash.h"

static int by_size(const void *a, const void *b)
{
        const struct shard_part *x = a, *y = b;

        return x->size != y->size ? (x->size < y->size ? 1 : -1) : x->index < y->index ? -1 : x->index > y->index;
}

static int by_index(const void *a, const void *b)
{
        const struct shard_part *x = a, *y = b;

        return x->index < y->index ? -1 : x->index > y->index;
}

bool shard_deal(struct shard_part *parts, uint32_t n, uint32_t shards, uint64_t *hash)
{
        double *load = calloc(shards, sizeof *load);

        if (!load)
                return false;
        *hash = n;
        qsort(parts, n, sizeof *parts, by_size);
        for (uint32_t i = 0; i < n; i++) {
                uint32_t least = 0;

                for (uint32_t k = 1; k < shards; k++)
                        least = load[k] < load[least] ? k : least;
                load[least] += parts[i].size;
                parts[i].shard = least + 1;
                *hash = hash_mix(*hash, parts[i].index);
        }
        qsort(parts, n, sizeof *parts, by_index);
        free(load);
        return true;
}

void shard_count_plan(struct session *s, uint64_t planned)
{
        struct stats *st = &s->result->stats;
        uint64_t restarts = st->restarts;
        struct reasons reasons = st->reasons;

        s->result->shard.planned = planned;
        if (s->config->shard == 1)
                return;
        judge_reset(&s->judge, false);
        *st = (struct stats){.complete = !reasons.set, .restarts = restarts, .reasons = reasons};
}
