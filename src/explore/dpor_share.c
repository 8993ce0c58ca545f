/*
 * dpor's stack, shared: nodes before `own` are common (jobtree.h).
 *
 * An explorer keeps its copy of the common nodes as they were when it got its task.  What was to be run from them then,
 * and what it has told since, is in their backtrack sets, so that a race is told at most once, and the others decide
 * whether it adds anything to what they know by now.  Those who were handed out from the same node before sleep in
 * this branch, whether their subtrees are done or not.
 */
#include "explore/dpor_share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore/jobtree.h"

void dpor_tell_race(struct dpor *d, uint32_t i, const uint64_t *initials, uint32_t add)
{
        uint64_t bits[JOBTREE_WORDS] = {0}, weak[JOBTREE_WORDS] = {0};

        memcpy(bits, initials, d->words * sizeof *bits);
        for (uint32_t r = 0; r < d->path.causality.stride && r < WIRE_MAX_THREADS; r++)
                if (causality_weak(&d->path.causality, i, r) != CAUSALITY_NONE)
                        weak[r / 64] |= UINT64_C(1) << (r % 64);
        stream_put_u32(&d->common, i);
        stream_put(&d->common, bits, sizeof bits);
        stream_put(&d->common, weak, sizeof weak);
        stream_put_u32(&d->common, add);
}

static bool to_be_run(struct dpor *d, const struct path_node *n, uint32_t i, uint32_t actor)
{
        return actor != n->actor && dpor_backtrack(d, i)[actor / 64] >> (actor % 64) & 1 && !path_sleeps(&d->path, n, actor);
}

static bool has_more(struct dpor *d, uint32_t i)
{
        const struct path_node *n = &d->path.nodes.at[i];
        bool more = n->next_choice != WIRE_NO_CHOICE;

        for (uint32_t a = 0; a < d->words * 64 && !more; a++)
                more = to_be_run(d, n, i, a);
        return more;
}

static void put_common(struct dpor *d, uint32_t i, struct stream *out)
{
        const struct path_node *n = &d->path.nodes.at[i];
        uint64_t back[JOBTREE_WORDS] = {0};
        uint32_t more = 0;

        memcpy(back, dpor_backtrack(d, i), d->words * sizeof *back);
        stream_put_u32(out, n->actor);
        stream_put_u32(out, n->choice);
        stream_put_u32(out, n->next_choice);
        stream_put_array(out, &d->path.accesses.at[n->acc], n->n_acc, sizeof *d->path.accesses.at);
        stream_put(out, back, sizeof back);
        for (uint32_t a = 0; a < d->words * 64; a++)
                more += to_be_run(d, n, i, a);
        stream_put_u32(out, more);
        for (uint32_t a = 0; a < d->words * 64; a++)
                if (to_be_run(d, n, i, a))
                        stream_put_u32(out, a);
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

/* Puts those to sleep at the top node whose branches were handed out before. */
static int put_to_sleep(struct dpor *d, struct path_node *n, struct stream *in, uint32_t count)
{
        for (uint32_t i = 0; i < count; i++) {
                uint32_t actor = stream_get_max(in, WIRE_MAX_THREADS - 1), n_acc;
                struct wire_access *acc = stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof *acc, &n_acc);
                bool ok = !in->failed && path_accesses_valid(acc, n_acc) && dpor_widen(d, actor + 1) &&
                          path_put_to_sleep(&d->path, n, actor, acc, n_acc);

                free(acc);
                if (!ok)
                        return -EINVAL;
                dpor_backtrack(d, d->path.nodes.n - 1)[actor / 64] |= UINT64_C(1) << (actor % 64);
        }
        return 0;
}

static void skip_sleepers(struct stream *in, uint32_t count)
{
        uint32_t n;

        for (uint32_t i = 0; i < count && !in->failed; i++) {
                stream_get_u32(in);
                free(stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof(struct wire_access), &n));
        }
}

/* The transition of node i is not taken yet; it becomes the top. */
static void cut_at(struct dpor *d, uint32_t i)
{
        struct path_node *n = &d->path.nodes.at[i];

        d->path.nodes.n = i + 1;
        d->backtrack.n = d->path.nodes.n * d->words;
        d->path.sleepers.n = n->sleep + n->n_sleep;
        d->path.woken.n = n->woken;
        d->path.footprints.n = n->fp_top;
        d->path.accesses.n = n->acc;
        n->n_acc = 0;
}

static int adopt(struct strategy *base, struct stream *in)
{
        struct dpor *d = (struct dpor *)base;
        uint32_t depth = stream_get_u32(in), actor = stream_get_max(in, WIRE_MAX_THREADS - 1);
        uint32_t choice = stream_get_u32(in), n_sleepers = stream_get_u32(in);
        size_t sleepers = in->pos, end;
        struct path_node *n;

        skip_sleepers(in, n_sleepers);
        if (in->failed || dpor_load(base, in) || depth >= d->path.nodes.n)
                return -EINVAL;
        end = in->pos;
        in->pos = sleepers;
        cut_at(d, depth);
        n = &d->path.nodes.at[depth];
        if (put_to_sleep(d, n, in, n_sleepers) || !dpor_widen(d, actor + 1))
                return -EINVAL;
        in->pos = end;
        dpor_backtrack(d, depth)[actor / 64] |= UINT64_C(1) << (actor % 64);
        n->actor = (uint16_t)actor;
        n->choice = choice;
        n->next_choice = WIRE_NO_CHOICE;
        n->op = 0;
        d->path.branch = depth;
        d->own = depth + 1;
        d->path.started = d->path.given = d->path.rebuild = true;
        return 0;
}

static void first(const struct strategy *base, struct stream *out)
{
        const struct dpor *d = (const struct dpor *)base;
        const struct path_node *n = &d->path.nodes.at[d->own - 1];

        stream_put_u32(out, n->next_choice);
        stream_put_array(out, &d->path.accesses.at[n->acc], n->n_acc, sizeof *d->path.accesses.at);
}

static struct stream *races(struct strategy *base)
{
        return &((struct dpor *)base)->common;
}

const struct share_ops dpor_share = {.split = split, .adopt = adopt, .first = first, .races = races};
