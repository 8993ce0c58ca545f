/*
 * local-cycle: a thread in a loop without effect is not run again until what it looks at changes
 * (SCALE's LocalCycleDetection).  The runtime does that in every strategy (rt/loops/spin.c), since only there the local state
 * of a thread can be seen: such a thread is not enabled.  So this filter has nothing left to drop.
 */
#include <stdlib.h>

#include "strategy/states/filter.h"

static void destroy(struct filter *f)
{
        free(f);
}

static struct filter *create(const struct config *config)
{
        struct filter *f = calloc(1, sizeof *f);

        (void)config;
        if (f)
                f->ops = &filter_local_cycle;
        return f;
}

const struct filter_ops filter_local_cycle = {
        .name = "local-cycle",
        .create = create,
        .destroy = destroy,
};
