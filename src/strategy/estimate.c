/*
 * Two estimators of Kilby, Slaney, Thiebaux and Walsh (Estimating search tree size, AAAI 2006), as Simsa, Bryant and Gibson
 * adapted them to dynamic reduction and Blum's Landslide uses them.
 *
 * Weighted backtrack: a node's share is that of its children on average, unknown ones at 0 and finished ones at 1.  What
 * was marked since counts at once, because the share is computed from the path every time.
 *
 * Recursive: a node costs its own transition and, for each child that is marked, the average of those entered.
 *
 * The cost of a run is spread evenly over its transitions behind the branch: when a node was reached, and when its present
 * child was begun, follows from the last run that branched above it and from the one that branched at it.  So nothing is
 * kept for each node, and a run costs O(1).
 */
#include "strategy/estimate.h"

#include <stdlib.h>

void estimate_reset(struct estimate *e)
{
        e->runs.n = 0;
        e->spent = 0;
}

void estimate_fini(struct estimate *e)
{
        vec_fini(&e->runs);
}

int estimate_add(struct estimate *e, uint32_t branch, uint32_t depth, double cost)
{
        while (e->runs.n && e->runs.at[e->runs.n - 1].branch >= branch)
                e->runs.n--;
        if (!e->runs.n)
                branch = 0; /* the first of all, or the last one from the root */
        if (!vec_reserve(&e->runs, 1))
                return -1;
        *vec_push(&e->runs) = (struct estimate_run){.branch = branch, .depth = depth, .start = e->spent, .cost = cost};
        e->spent += cost;
        return 0;
}

static double per_transition(const struct estimate_run *r)
{
        return r->depth > r->branch ? r->cost / (r->depth - r->branch) : 0;
}

/* A node's share, from that of its present child. */
static double share_of(struct estimate_level l, double child)
{
        uint32_t entered = l.entered ? l.entered : 1;

        return (entered - 1 + child) / (l.marked > entered ? l.marked : entered);
}

double estimate_share(uint32_t n, struct estimate_level (*level)(const void *arg, uint32_t i), const void *arg)
{
        double share = 1;

        for (uint32_t i = n; i-- > 0;)
                share = share_of(level(arg, i), share);
        return share;
}

struct estimate_guess estimate_guess(const struct estimate *e, uint32_t n,
                                     struct estimate_level (*level)(const void *arg, uint32_t i), const void *arg)
{
        struct estimate_guess g = {.share = 1, .cost = 0};
        uint32_t k = e->runs.n;

        for (uint32_t i = n; i-- > 0;) {
                struct estimate_level l = level(arg, i);
                const struct estimate_run *creator = NULL;
                double own = 0, reached = 0, begun;

                l.entered = l.entered ? l.entered : 1;
                l.marked = l.marked > l.entered ? l.marked : l.entered;
                while (k && e->runs.at[k - 1].branch > i)
                        k--;
                if (k && e->runs.at[k - 1].branch < i)
                        creator = &e->runs.at[k - 1];
                else if (k > 1)
                        creator = &e->runs.at[k - 2];
                if (i > 0 && creator) {
                        own = per_transition(creator);
                        reached = creator->start + own * (i - creator->branch);
                }
                begun = k && e->runs.at[k - 1].branch == i ? e->runs.at[k - 1].start : reached;
                g.share = share_of(l, g.share);
                if (i == n - 1) /* the last transition of the run */
                        g.cost = k ? per_transition(&e->runs.at[k - 1]) : 0;
                g.cost = own + (double)l.marked / l.entered * (begun - reached + g.cost);
        }
        return g;
}
