/* The tree of dpor, for estimates.  Answers of a choice are counted as far as they are known: the next one, and no more. */
#include "strategy/dpor/dpor_tree.h"

#include "strategy/dpor/backtrack_sets.h"

static uint32_t tree_path(const struct strategy *base, uint32_t *branch)
{
        const struct dpor *d = (const struct dpor *)base;

        *branch = d->path.branch;
        return d->path.nodes.n;
}

static struct estimate_level tree_level(const void *strategy, uint32_t i)
{
        const struct dpor *d = strategy;
        const struct path_node *n = &d->path.nodes.at[i];
        struct estimate_level l = {0};

        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = d->backtrack.at[(uint64_t)i * d->words + w]; b; b &= b - 1) {
                        uint32_t actor = w * 64 + (uint32_t)__builtin_ctzll(b);
                        l.marked++;
                        l.entered += actor == n->actor || path_sleeps(&d->path, n, actor);
                }
        l.marked += n->more;
        return l;
}

const struct tree_ops dpor_tree = {.path = tree_path, .level = tree_level};
