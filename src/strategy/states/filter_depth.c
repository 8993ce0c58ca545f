/*
 * depth: nothing is run beyond --depth transitions (SCALE's DepthBounding).  The target cuts an execution at --depth
 * entries, and that is reported; this filter drops what would be cut at once.
 */
#include <stdlib.h>

#include "strategy/states/filter.h"

struct depth {
        struct filter base;
        uint32_t most; /* 0: no bound */
};

static bool wanted(struct filter *base, const struct filter_state *s)
{
        const struct depth *f = (const struct depth *)base;

        return !f->most || s->depth <= f->most;
}

static void destroy(struct filter *base)
{
        free(base);
}

static struct filter *create(const struct config *config)
{
        struct depth *f = calloc(1, sizeof *f);

        if (!f)
                return NULL;
        f->base.ops = &filter_depth;
        f->most = config->depth;
        return &f->base;
}

const struct filter_ops filter_depth = {
        .name = "depth",
        .create = create,
        .wanted = wanted,
        .destroy = destroy,
};
