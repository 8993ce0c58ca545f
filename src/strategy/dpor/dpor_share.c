/*
 * dpor's stack, shared: nodes before `own` are common (share.h).
 *
 * A worker keeps its copy of the common nodes as they were when it got its task.  What was to be run from them then,
 * and what it has sent since, is in their backtrack sets, so that a race is sent at most once, and the others decide
 * whether it adds anything to what they know by now.  Those that were handed out from the same node before sleep in
 * this branch, whether their subtrees are done or not.
 */
#include "strategy/dpor/dpor_share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/assert.h"
#include "strategy/dpor/backtrack_sets.h"
#include "strategy/dpor/path_share.h"
#include "strategy/dpor/wakeup_tree.h"

static bool to_be_run(struct dpor *d, const struct path_node *n, uint32_t i, uint32_t actor)
{
        return actor != n->actor && bitset_has(dpor_backtrack(d, i), actor) && !path_sleeps(&d->path, n, actor);
}

static bool has_more(struct dpor *d, uint32_t i)
{
        const struct path_node *n = &d->path.nodes.at[i];
        bool more = n->more;

        for (uint32_t a = 0; a < d->words * 64 && !more; a++)
                more = to_be_run(d, n, i, a);
        return more;
}

static void put_common(struct dpor *d, uint32_t i, struct stream *out)
{
        const struct path_node *n = &d->path.nodes.at[i];
        uint64_t back[SHARE_WORDS] = {0};
        uint32_t more = 0;

        memcpy(back, dpor_backtrack(d, i), d->words * sizeof *back);
        path_put_common(&d->path, i, out);
        stream_put(out, back, sizeof back);
        stream_put(out, (uint64_t[SHARE_WORDS]){0}, sizeof back);
        for (uint32_t a = 0; a < d->words * 64; a++)
                more += to_be_run(d, n, i, a);
        stream_put_u32(out, more);
        for (uint32_t a = 0; a < d->words * 64; a++)
                if (to_be_run(d, n, i, a)) {
                        stream_put_u32(out, a);
                        stream_put_u32(out, false);
                        wakeup_tree_put_none(out);
                }
}

static bool seed(struct strategy *base, const struct trace *t)
{
        struct dpor *d = (struct dpor *)base;

        for (uint32_t i = d->own; i + 1 < d->path.nodes.n; i++) {
                uint64_t all[SHARE_WORDS] = {0};

                memcpy(all, dpor_backtrack(d, i), d->words * sizeof *all);
                bitset_add(all, d->path.nodes.at[i].actor);
                if (!path_seeds(&d->path, t, i, all))
                        return true;
                for (uint32_t a = 0; a < WIRE_MAX_THREADS; a++)
                        if (bitset_has(all, a) && !dpor_open(d, i, a))
                                return false;
                if (has_more(d, i))
                        return true;
        }
        return true;
}

static bool split(struct strategy *base, struct stream *out)
{
        struct dpor *d = (struct dpor *)base;
        uint32_t k = d->own;

        if (d->path.given || d->path.rebuild)
                return false;
        while (k + 1 < d->path.nodes.n && !has_more(d, k))
                k++;
        if (k + 1 >= d->path.nodes.n)
                return false;
        stream_put_u32(out, k + 1 - d->own);
        for (uint32_t i = d->own; i <= k; i++)
                put_common(d, i, out);
        dpor_save_upto(d, k + 1, out);
        d->own = k + 1;
        return true;
}

static int adopt(struct strategy *base, struct stream *in)
{
        struct dpor *d = (struct dpor *)base;
        const struct path_node *n;
        uint32_t slept;

        if (path_adopt(&d->path, base, in, &slept) || !wakeup_tree_get_none(in))
                return -EINVAL;
        n = &d->path.nodes.at[d->path.branch];
        d->backtrack.n = d->path.nodes.n * d->words;
        for (uint32_t k = slept; k <= n->n_sleep; k++) {
                uint32_t actor = k < n->n_sleep ? d->path.sleepers.at[n->sleep + k].actor : n->actor;

                if (!dpor_widen(d, actor + 1))
                        return -EINVAL;
                bitset_add(dpor_backtrack(d, d->path.branch), actor);
        }
        d->own = d->path.branch + 1;
        heddle_check(path_check(&d->path));
        return 0;
}

static void first(struct strategy *base, struct stream *out)
{
        struct dpor *d = (struct dpor *)base;

        path_put_first(&d->path, d->own - 1, out);
}

static struct stream *races(struct strategy *base)
{
        return &((struct dpor *)base)->common;
}

static uint32_t asleep(const struct strategy *base)
{
        const struct dpor *x = (const struct dpor *)base;

        return path_asleep(&x->path, x->own);
}

static uint32_t own(const struct strategy *base)
{
        return ((const struct dpor *)base)->own;
}

const struct share_ops dpor_share = {
        .split = split, .seed = seed, .asleep = asleep, .adopt = adopt, .first = first, .races = races, .own = own};
