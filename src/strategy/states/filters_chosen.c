/*
 * The search with a filter that chooses which actor continues (filter.h: sleep, learn).
 *
 * Actors that are due because of an execution go to the frontier, from any state on its path.  That states are equal
 * plays no part: those of an execution are not computed.
 */
#include <errno.h>

#include "strategy/states/filters_search.h"

struct execution {
        struct filters *f;
        const struct trace *t;
        uint32_t known; /* links of the path that were there before */
};

static struct filter_pick pick_of(const struct filters *f)
{
        if (!f->started)
                return (struct filter_pick){.node = FILTER_NONE};
        return (struct filter_pick){.node = f->at.node,
                                    .depth = f->at.path == FRONTIER_ROOT ? 0
                                                                         : f->frontier.links.at[f->at.path].depth + 1,
                                    .choice = f->at.choice,
                                    .actor = f->at.actor};
}

int filters_sleep(const struct filters *f, struct schedule *out)
{
        struct filter_pick pick = pick_of(f);

        return f->chooser->ops->sleep(f->chooser, &pick, out);
}

/* The links before transitions 0 ... k of the path that was picked. */
static bool known_links(struct filters *f, uint32_t k)
{
        f->links.n = 0;
        if (!vec_reserve(&f->links, k + 1))
                return false;
        f->links.n = k + 1;
        for (uint32_t link = f->started ? f->at.path : FRONTIER_ROOT; k > 0; link = f->frontier.links.at[link].parent)
                f->links.at[k--] = link;
        f->links.at[0] = FRONTIER_ROOT;
        return true;
}

/* One link more, held until the execution is done with. */
static bool add_link(struct filters *f, const struct trace *t)
{
        uint32_t k = f->links.n - 1, link;
        const struct wire_event *e = &t->events[f->states.entries.at[k]];
        struct wire_decision d = {.actor = e->actor, .op = e->op, .choice = e->choice, .obj = e->obj};

        if (!vec_reserve(&f->links, 1))
                return false;
        link = frontier_link(&f->frontier, f->links.at[k], &d, filters_preempts(f, t, k, e->actor));
        if (link == FRONTIER_ROOT)
                return false;
        *vec_push(&f->links) = link;
        return true;
}

static bool go(void *arg, uint32_t i, uint32_t node, uint32_t actor, uint32_t choice)
{
        struct execution *x = arg;
        struct filters *f = x->f;
        struct frontier_entry e = {.node = node, .actor = (uint16_t)actor, .choice = choice, .state = {.depth = i + 1}};

        if (!filters_wanted(f, &e.state))
                return true;
        while (f->links.n <= i)
                if (!add_link(f, x->t))
                        return false;
        e.path = f->links.at[i];
        if (!frontier_add(&f->frontier, &e, choice == WIRE_NO_CHOICE && filters_preempts(f, x->t, i, actor)))
                return false;
        f->holder->ops->hold(f->holder, node);
        return true;
}

int filters_choose(struct filters *f, const struct trace *t)
{
        struct filter_pick pick = pick_of(f);
        struct execution x = {.f = f, .t = t};
        int r;

        if (!hb_states_divide(&f->states, t) || !known_links(f, pick.depth))
                return -ENOMEM;
        x.known = f->links.n;
        r = f->chooser->ops->learn(f->chooser, &pick, t, go, &x);
        while (f->links.n > x.known)
                frontier_put(&f->frontier, f->links.at[--f->links.n]);
        return r;
}
