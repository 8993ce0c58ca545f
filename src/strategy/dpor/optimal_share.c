/*
 * optimal's stack, shared: nodes before `own` are common (share.h).
 *
 * A branch is handed out with its plan, the part of the wakeup tree below its first step.  Those that were handed out from
 * the same node before it sleep in it, whether their subtrees are done or not.  If they are not, races that they show
 * later may call for sequences in this branch which, had one worker run them one after the other, would be in its tree.
 * The branch does not wait for these.  So its tree does not contain all that should wake such a sleeper: below its node
 * the sleeper is stale, and counts as in dpor.c.  That costs redundant executions, and never misses one.
 *
 * A branch that begins with a load that may have to wait (WAKEUP_WAITS) is handed out as such.  Nothing relies on it until it has run:
 * a sequence must not begin with it.  If the load had to wait, its actor sleeps in later branches as a stale sleeper.
 *
 * A worker keeps its copy of the trees of common nodes.  What it adds there it sends; the others know by then whether
 * something covers it (the rules of dpor: an initial, or a weak initial, of the sequence has a branch).
 */
#include "strategy/dpor/optimal_share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/assert.h"
#include "hb/initials.h"
#include "strategy/dpor/path_share.h"

static bool to_be_run(const struct optimal *o, const struct path_node *n, uint32_t step)
{
        uint32_t actor = wakeup_tree_at(&o->wakeup, step)->actor;

        return actor != n->actor && !path_sleeps(&o->path, n, actor);
}

/* Actors that go first after i and keep the operation from running: they show nothing of its reversal. */
static void barring(const struct optimal *o, uint32_t i, const uint32_t *past, const struct wire_access *pending,
                    uint64_t *bits)
{
        for (uint32_t r = 0; pending && r < o->path.causality.stride && r < WIRE_MAX_THREADS; r++) {
                uint32_t t = causality_weak(&o->path.causality, i, r);
                if (t != CAUSALITY_NONE && path_bars(&o->path, pending, past, t))
                        bitset_add(bits, r);
        }
}

void optimal_report_race(struct optimal *o, uint32_t i, uint32_t actor, const uint32_t *past,
                         const struct wire_access *pending, uint32_t list)
{
        uint64_t initials[SHARE_WORDS] = {0}, without[SHARE_WORDS] = {0};

        if (!o->way.n && !to_be_run(o, &o->path.nodes.at[i], list))
                return;
        causality_initials(&o->path.causality, i, actor, past, initials);
        barring(o, i, past, pending, without);
        path_put_race(&o->path, i, initials, without, SHARE_WORDS, wakeup_tree_at(&o->wakeup, list)->actor, &o->common);
        stream_put_array(&o->common, o->way.at, o->way.n, sizeof *o->way.at);
        wakeup_tree_put(&o->wakeup, list, &o->common);
}

void optimal_report_open(struct optimal *o, uint32_t i, uint32_t step)
{
        path_put_open(i, wakeup_tree_at(&o->wakeup, step)->actor, &o->common);
        stream_put_array(&o->common, NULL, 0, sizeof(uint32_t));
        wakeup_tree_put(&o->wakeup, step, &o->common);
}

/* Is this step of node i handed out?  Behind one of the same actor that may have to wait, it is dropped when that has run. */
static bool is_branch(const struct optimal *o, uint32_t i, uint32_t step)
{
        uint32_t s = o->trees.at[i];

        while (wakeup_tree_at(&o->wakeup, s)->actor != wakeup_tree_at(&o->wakeup, step)->actor)
                s = wakeup_tree_at(&o->wakeup, s)->next;
        return s == step && to_be_run(o, &o->path.nodes.at[i], step);
}

static uint32_t count(const struct optimal *o, uint32_t i)
{
        uint32_t n = 0;

        for (uint32_t s = o->trees.at[i]; s; s = wakeup_tree_at(&o->wakeup, s)->next)
                n += is_branch(o, i, s);
        return n;
}

/* The actors that go first from node i at some time, as far as that is known, and those that had to wait there. */
static void branches(const struct optimal *o, uint32_t i, uint64_t back[SHARE_WORDS], uint64_t wasted[SHARE_WORDS])
{
        const struct path_node *n = &o->path.nodes.at[i];

        memset(back, 0, SHARE_WORDS * sizeof *back);
        memset(wasted, 0, SHARE_WORDS * sizeof *wasted);
        bitset_add(back, n->actor);
        for (uint32_t k = n->inherited; k < n->n_sleep; k++) {
                const struct path_sleeper *s = &o->path.sleepers.at[n->sleep + k];
                bitset_add(s->stale == STALE ? wasted : back, s->actor);
        }
        for (uint32_t s = o->trees.at[i]; s; s = wakeup_tree_at(&o->wakeup, s)->next)
                if (wakeup_tree_at(&o->wakeup, s)->sure != WAKEUP_WAITS && is_branch(o, i, s))
                        bitset_add(back, wakeup_tree_at(&o->wakeup, s)->actor);
}

static void put_common(struct optimal *o, uint32_t i, struct stream *out)
{
        uint64_t back[SHARE_WORDS], wasted[SHARE_WORDS];

        branches(o, i, back, wasted);
        path_put_common(&o->path, i, out);
        stream_put(out, back, sizeof back);
        stream_put(out, wasted, sizeof wasted);
        stream_put_u32(out, count(o, i));
        for (uint32_t s = o->trees.at[i]; s; s = wakeup_tree_at(&o->wakeup, s)->next)
                if (is_branch(o, i, s)) {
                        stream_put_u32(out, wakeup_tree_at(&o->wakeup, s)->actor);
                        stream_put_u32(out, wakeup_tree_at(&o->wakeup, s)->sure == WAKEUP_WAITS);
                        wakeup_tree_put(&o->wakeup, wakeup_tree_at(&o->wakeup, s)->child, out);
                }
}

/* The node that a split makes common: the upper one with something left.  That of the last transition: there is none. */
static uint32_t upper(const struct optimal *o)
{
        uint32_t k = o->own;

        while (k + 1 < o->path.nodes.n && !o->path.nodes.at[k].more && !count(o, k))
                k++;
        return k;
}

/* Is each branch woken by the first transition of each other one?  Then none of them is stale below. */
static bool clean(const struct strategy *base)
{
        const struct optimal *o = (const struct optimal *)base;
        uint32_t k = upper(o);
        const struct path_node *n = &o->path.nodes.at[k];

        if (k + 1 >= o->path.nodes.n)
                return true;
        for (uint32_t s = o->trees.at[k]; s; s = wakeup_tree_at(&o->wakeup, s)->next) {
                const struct wakeup_step *a = wakeup_tree_at(&o->wakeup, s);

                if (!to_be_run(o, n, s))
                        continue;
                if (!path_conflict(&o->path.accesses.at[n->acc], n->n_acc, wakeup_tree_footprint(a), a->n_acc))
                        return false;
                for (uint32_t t = a->next; t; t = wakeup_tree_at(&o->wakeup, t)->next) {
                        const struct wakeup_step *b = wakeup_tree_at(&o->wakeup, t);

                        if (to_be_run(o, n, t) &&
                            !path_conflict(wakeup_tree_footprint(a), a->n_acc, wakeup_tree_footprint(b), b->n_acc))
                                return false;
                }
        }
        return true;
}

static bool seed(struct strategy *base, const struct trace *t)
{
        struct optimal *o = (struct optimal *)base;

        for (uint32_t i = o->own; i + 1 < o->path.nodes.n; i++) {
                uint64_t back[SHARE_WORDS], wasted[SHARE_WORDS], all[SHARE_WORDS];

                branches(o, i, back, wasted);
                memcpy(all, back, sizeof all);
                if (!path_seeds(&o->path, t, i, all))
                        return true;
                for (uint32_t a = 0; a < WIRE_MAX_THREADS; a++)
                        if (bitset_has(all, a) && !bitset_has(back, a) && !optimal_open(o, i, a))
                                return false;
                if (o->path.nodes.at[i].more || count(o, i))
                        return true;
        }
        return true;
}

static bool split(struct strategy *base, struct stream *out)
{
        struct optimal *o = (struct optimal *)base;
        uint32_t k;

        if (o->path.given || o->path.rebuild)
                return false;
        k = upper(o);
        if (k + 1 >= o->path.nodes.n)
                return false;
        stream_put_u32(out, k + 1 - o->own);
        for (uint32_t i = o->own; i <= k; i++)
                put_common(o, i, out);
        optimal_save_upto(o, k + 1, out);
        o->own = k + 1;
        return true;
}

/* Takes those off the tree of a node that are not to be run from it any more. */
static void drop_done(struct optimal *o, uint32_t i)
{
        uint32_t *list = &o->trees.at[i], s;

        while ((s = *list)) {
                if (to_be_run(o, &o->path.nodes.at[i], s)) {
                        list = &wakeup_tree_at(&o->wakeup, s)->next;
                        continue;
                }
                *list = wakeup_tree_at(&o->wakeup, s)->next;
                wakeup_tree_drop_list(&o->wakeup, wakeup_tree_at(&o->wakeup, s)->child);
                wakeup_tree_drop(&o->wakeup, s);
        }
}

static int adopt(struct strategy *base, struct stream *in)
{
        struct optimal *o = (struct optimal *)base;
        const struct path_node *n;
        uint32_t slept;

        if (path_adopt(&o->path, base, in, &slept))
                return -EINVAL;
        optimal_cut(o, o->path.nodes.n);
        wakeup_tree_drop_list(&o->wakeup, o->tree);
        if (!wakeup_tree_get(&o->wakeup, &o->tree, in))
                return -EINVAL;
        n = &o->path.nodes.at[o->path.branch];
        for (uint32_t k = slept; k < n->n_sleep; k++)
                if (o->path.sleepers.at[n->sleep + k].stale != STALE)
                        o->path.sleepers.at[n->sleep + k].stale = STALE_BELOW;
        drop_done(o, o->path.branch);
        o->own = o->path.branch + 1;
        heddle_check(path_check(&o->path) && wakeup_tree_check(&o->wakeup));
        return 0;
}

static void first(struct strategy *base, struct stream *out)
{
        struct optimal *o = (struct optimal *)base;

        path_put_first(&o->path, o->own - 1, out);
}

static struct stream *races(struct strategy *base)
{
        return &((struct optimal *)base)->common;
}

static uint32_t asleep(const struct strategy *base)
{
        const struct optimal *x = (const struct optimal *)base;

        return path_asleep(&x->path, x->own);
}

static uint32_t own(const struct strategy *base)
{
        return ((const struct optimal *)base)->own;
}

const struct share_ops optimal_share = {.split = split,
                                        .seed = seed,
                                        .asleep = asleep,
                                        .clean = clean,
                                        .adopt = adopt,
                                        .first = first,
                                        .races = races,
                                        .own = own};
