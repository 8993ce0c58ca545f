/* The state of optimal: wakeup trees and races beside the nodes of the path, and their form in a stream. */
#include "strategy/dpor/optimal_state.h"

#include <errno.h>

#include "base/assert.h"

void optimal_cut_trees(struct optimal *o, uint32_t n)
{
        while (o->trees.n > n)
                wakeup_tree_drop_list(&o->wakeup, o->trees.at[--o->trees.n]);
}

void optimal_cut(struct optimal *o, uint32_t n)
{
        optimal_cut_trees(o, n);
        while (o->races.n && o->races.at[o->races.n - 1].j + 1 >= n)
                o->races.n--;
}

void optimal_reset(struct strategy *base)
{
        struct optimal *o = (struct optimal *)base;

        path_reset(&o->path);
        wakeup_tree_fini(&o->wakeup);
        stream_reset(&o->common); /* of what is forgotten */
        o->trees.n = o->races.n = 0;
        o->tree = o->own = 0;
}

void optimal_save_upto(const struct optimal *o, uint32_t n, struct stream *out)
{
        uint32_t races = o->races.n;

        while (races && o->races.at[races - 1].j >= n)
                races--;
        path_save(&o->path, n, out);
        stream_put_u32(out, o->own);
        stream_put_u32(out, o->blocks);
        stream_put_array(out, o->races.at, races, sizeof *o->races.at);
        wakeup_tree_put(&o->wakeup, n < o->path.nodes.n ? 0 : o->tree, out);
        for (uint32_t i = 0; i < n; i++)
                wakeup_tree_put(&o->wakeup, o->trees.at[i], out);
}

static bool load(struct optimal *o, struct stream *in)
{
        uint32_t n, last = 0;

        if (!path_load(&o->path, in) || !vec_reserve(&o->trees, o->path.nodes.n + 1))
                return false;
        o->own = stream_get_max(in, o->path.nodes.n);
        o->blocks |= stream_get_max(in, 1);
        o->perhaps = o->perhaps && !o->blocks;
        n = stream_get_count(in, UINT32_MAX - 1, sizeof *o->races.at);
        if (!vec_reserve(&o->races, n + 1))
                return false;
        o->races.n = n;
        stream_get(in, o->races.at, n * sizeof *o->races.at);
        for (uint32_t k = 0; k < n; last = o->races.at[k++].j)
                if (o->races.at[k].i >= o->races.at[k].j || o->races.at[k].j >= o->path.nodes.n ||
                    o->races.at[k].j < last)
                        return false;
        if (!wakeup_tree_get(&o->wakeup, &o->tree, in))
                return false;
        while (o->trees.n < o->path.nodes.n)
                if (!wakeup_tree_get(&o->wakeup, vec_push(&o->trees), in))
                        return false;
        return true;
}

int optimal_load(struct strategy *base, struct stream *in)
{
        struct optimal *o = (struct optimal *)base;

        optimal_reset(base);
        if (load(o, in)) {
                heddle_check(wakeup_tree_check(&o->wakeup));
                return 0;
        }
        o->trees.n = o->tree = 0;
        optimal_reset(base);
        return -EINVAL;
}
