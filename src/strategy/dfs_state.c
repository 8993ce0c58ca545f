/* The path of dfs: room for it, and its form in a stream. */
#include "strategy/dfs_state.h"

#include <errno.h>
#include <stdlib.h>

#include "op/op.h"

int dfs_reserve(struct dfs *d)
{
        if (d->n < d->capacity)
                return 0;
        uint32_t capacity = d->capacity ? d->capacity * 2 : 256;
        struct dfs_node *nodes = realloc(d->nodes, capacity * sizeof(*nodes));
        if (!nodes)
                return -ENOMEM;
        d->nodes = nodes;
        uint64_t *todo = realloc(d->todo, (size_t)capacity * d->words * sizeof(*todo));
        if (!todo)
                return -ENOMEM;
        d->todo = todo;
        d->capacity = capacity;
        return 0;
}

void dfs_reset(struct strategy *s)
{
        struct dfs *d = dfs_of(s);
        d->n = 0;
        d->branch = 0;
        d->written = 0;
        d->own = 0;
        d->started = d->given = d->loaded = false;
        d->base.cut = 0;
}

void dfs_save_upto(const struct dfs *d, uint32_t n, struct stream *out)
{
        stream_put_u32(out, d->started);
        stream_put_u32(out, d->given);
        stream_put_u64(out, d->base.cut);
        stream_put_u32(out, d->words);
        stream_put_u32(out, d->n_threads);
        stream_put_u32(out, d->own);
        stream_put_array(out, d->nodes, n, sizeof(*d->nodes));
        stream_put(out, d->todo, (size_t)n * d->words * sizeof(*d->todo));
}

void dfs_save(const struct strategy *s, struct stream *out)
{
        const struct dfs *d = (const struct dfs *)s;
        dfs_save_upto(d, d->n, out);
}

static bool node_valid(const struct dfs_node *node, uint32_t words)
{
        return node->actor < words * 64 && node->op < OP_COUNT && node->entry < WIRE_MAX_EVENTS;
}

int dfs_load(struct strategy *s, struct stream *in)
{
        struct dfs *d = dfs_of(s);
        dfs_reset(s);
        d->started = stream_get_max(in, 1);
        d->given = stream_get_max(in, 1);
        d->loaded = true;
        d->base.cut = stream_get_u64(in);
        uint32_t words = stream_get_max(in, WIRE_MAX_THREADS / 64);
        d->n_threads = stream_get_max(in, WIRE_MAX_THREADS);
        uint32_t own = stream_get_u32(in), n = stream_get_count(in, WIRE_MAX_EVENTS, sizeof(*d->nodes));
        if (in->failed || (n > 0 && words == 0) || own > n)
                return -EINVAL;
        d->words = words;
        d->n = d->capacity = 0;
        for (uint32_t i = 0; i < n; i++) {
                if (dfs_reserve(d) != 0)
                        return -ENOMEM;
                stream_get(in, &d->nodes[d->n++], sizeof(*d->nodes));
                if (!node_valid(&d->nodes[i], words))
                        return -EINVAL;
        }
        stream_get(in, d->todo, (size_t)n * words * sizeof(*d->todo));
        d->branch = n > 0 ? n - 1 : 0;
        d->own = own;
        return in->failed ? -EINVAL : 0;
}
