/* dfs, shared by several workers.  No actor sleeps and there are no races, so all that is not tried at a node is handed out at
 * once. */
#include "strategy/dfs_share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "op/op.h"
#include "strategy/bound.h"
#include "strategy/dfs_state.h"
#include "strategy/dpor/wakeup_tree.h"

static bool has_more(const struct dfs *d, uint32_t i)
{
        const uint64_t *todo = dfs_todo(d, i);
        bool more = d->nodes[i].next_choice != WIRE_NO_CHOICE;
        for (uint32_t w = 0; w < d->words; w++)
                more = more || todo[w];
        return more;
}

/* The next choice value; this one and what it touched need not be known, and it did not have to wait. */
static void put_transition(const struct dfs_node *node, struct stream *out)
{
        stream_put_array(out, &node->next_choice, node->next_choice != WIRE_NO_CHOICE, sizeof node->next_choice);
        stream_put_array(out, NULL, 0, sizeof(uint32_t));
        stream_put_array(out, NULL, 0, sizeof(struct wire_access));
        stream_put_u32(out, false);
}

static void put_common(const struct dfs *d, uint32_t i, struct stream *out)
{
        const struct dfs_node *node = &d->nodes[i];
        const uint64_t *todo = dfs_todo(d, i);
        uint64_t back[SHARE_WORDS] = {0};
        uint32_t n = 0;

        memcpy(back, todo, d->words * sizeof(*back));
        bitset_add(back, node->actor);
        for (uint32_t w = 0; w < d->words; w++)
                n += (uint32_t)__builtin_popcountll(todo[w]);
        stream_put_u32(out, node->actor);
        put_transition(node, out);
        stream_put(out, back, sizeof(back));
        stream_put(out, (uint64_t[SHARE_WORDS]){0}, sizeof(back));
        stream_put_u32(out, n);
        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = todo[w]; b; b &= b - 1) {
                        stream_put_u32(out, w * 64 + (uint32_t)__builtin_ctzll(b));
                        stream_put_u32(out, false);
                        wakeup_tree_put_none(out);
                }
}

static bool dfs_split(struct strategy *s, struct stream *out)
{
        struct dfs *d = dfs_of(s);
        uint32_t k = d->own;
        if (d->given || d->base.bound != BOUND_NONE)
                return false;
        while (k + 1 < d->n && !has_more(d, k))
                k++;
        if (k + 1 >= d->n)
                return false;
        stream_put_u32(out, k + 1 - d->own);
        for (uint32_t i = d->own; i <= k; i++)
                put_common(d, i, out);
        dfs_save_upto(d, k + 1, out);
        d->own = k + 1;
        return true;
}

static int dfs_adopt(struct strategy *s, struct stream *in)
{
        struct dfs *d = dfs_of(s);
        uint32_t depth = stream_get_u32(in), actor = stream_get_u32(in), n_values, n, none;
        uint32_t choice, *values;

        stream_get_max(in, false); /* it does not wait */
        values = stream_get_array(in, 1, sizeof *values, &n_values);
        choice = n_values ? *values : WIRE_NO_CHOICE;
        free(values);
        n = stream_get_max(in, UINT32_MAX - 1);
        for (uint32_t i = 0; i < n && !in->failed; i++) {
                stream_get_u32(in);
                free(stream_get_array(in, 0, sizeof(uint32_t), &none));
                free(stream_get_array(in, 0, sizeof(struct wire_access), &none));
                stream_get_max(in, false);
        }
        if (in->failed || dfs_load(s, in) != 0 || !wakeup_tree_get_none(in) || depth >= d->n || actor >= d->words * 64)
                return -EINVAL;
        d->n = depth + 1;
        d->own = d->n;
        d->branch = depth;
        d->nodes[depth] = (struct dfs_node){.previous = WIRE_NO_ACTOR,
                                            .entry = d->nodes[depth].entry,
                                            .choice = choice,
                                            .next_choice = WIRE_NO_CHOICE,
                                            .actor = (uint16_t)actor,
                                            .op = OP_NONE};
        d->started = d->given = true;
        return 0;
}

static void dfs_first(struct strategy *s, struct stream *out)
{
        const struct dfs *d = (const struct dfs *)s;
        put_transition(&d->nodes[d->own - 1], out);
}

static struct stream *dfs_races(struct strategy *s)
{
        (void)s;
        return NULL;
}

static uint32_t dfs_own(const struct strategy *s)
{
        return ((const struct dfs *)s)->own;
}

const struct share_ops dfs_share = {
        .split = dfs_split,
        .adopt = dfs_adopt,
        .first = dfs_first,
        .races = dfs_races,
        .own = dfs_own,
};
