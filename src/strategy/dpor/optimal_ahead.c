/*
 * Schedules that optimal will give soon: the first steps of the trees of nodes above the one that was turned.
 *
 * Nothing that is learnt before a node is turned changes its first step, what sleeps there, or what the step is followed by first:
 * races only add alternatives behind these.  It is a guess all the same; who asks for the schedule compares it.
 */
#include "strategy/dpor/optimal_ahead.h"

#include <string.h>

/* The step that will be taken next from node i; 0: there is none. */
static uint32_t step_of(const struct optimal *o, uint32_t i)
{
        const struct path_node *n = &o->path.nodes.at[i];
        uint32_t s = o->trees.at[i];

        while (s) {
                const struct wakeup_step *step = wakeup_tree_at(&o->wakeup, s);

                if (step->actor != n->actor && !path_sleeps(&o->path, n, step->actor))
                        break;
                s = step->next;
        }
        return s;
}

/* What sleeps at node i when its transition is done.  false: it does not fit. */
static bool write_sleep(const struct path *p, const struct path_node *n, uint32_t actor, struct wire_ahead *out)
{
        struct schedule s = {.sleep = out->sleep, .footprint = out->footprint};
        uint32_t total = n->n_acc;

        if (n->n_sleep >= WIRE_AHEAD_SLEEP)
                return false;
        for (uint32_t k = 0; k < n->n_sleep; k++)
                total += p->sleepers.at[n->sleep + k].n;
        if (total > WIRE_AHEAD_FOOTPRINT)
                return false;
        for (uint32_t k = 0; k < n->n_sleep; k++) {
                const struct path_sleeper *z = &p->sleepers.at[n->sleep + k];

                if (z->actor != actor && !z->partial)
                        path_write_sleeper(&s, z->actor, z->n ? &p->footprints.at[z->fp] : NULL, z->n);
        }
        path_write_sleeper(&s, n->actor, n->n_acc ? &p->accesses.at[n->acc] : NULL, n->n_acc);
        out->n_sleep = s.n_sleep;
        out->n_footprint = s.n_footprint;
        return true;
}

static bool write_hints(const struct optimal *o, uint32_t step, struct wire_ahead *out)
{
        out->n_hints = 0;
        while ((step = wakeup_tree_at(&o->wakeup, step)->child)) {
                const struct wakeup_step *w = wakeup_tree_at(&o->wakeup, step);

                if (out->n_hints + 1 == WIRE_AHEAD_DECISIONS)
                        return false;
                out->decisions[++out->n_hints] = (struct wire_decision){
                        .actor = w->actor, .op = w->op, .choice = WIRE_NO_CHOICE, .waits = w->sure == WAKEUP_WAITS};
        }
        return true;
}

/* The number of the last node whose decisions begin before this one, + 1. */
static uint32_t nodes_before(const struct path *p, uint32_t decision)
{
        uint32_t lo = 0, hi = p->nodes.n;

        while (lo < hi) {
                uint32_t mid = lo + (hi - lo) / 2;

                if (p->nodes.at[mid].decision < decision)
                        lo = mid + 1;
                else
                        hi = mid;
        }
        return lo;
}

uint32_t optimal_ahead(const struct strategy *base, uint32_t before, struct wire_ahead *out)
{
        const struct optimal *o = (const struct optimal *)base;
        const struct path *p = &o->path;

        if (p->rebuild || p->sleepless || p->values.n)
                return STRATEGY_NO_AHEAD;
        for (uint32_t i = nodes_before(p, before); i-- > o->own;) {
                const struct path_node *n = &p->nodes.at[i];
                uint32_t step = o->trees.at[i] ? step_of(o, i) : 0;

                if (n->more)
                        return STRATEGY_NO_AHEAD; /* what is there first is a choice */
                if (!step || n->n_parts != 1 || n->other || n->redundant || n->wasted ||
                    n->decision > WIRE_AHEAD_COMMON)
                        continue;
                if (out) {
                        const struct wakeup_step *w = wakeup_tree_at(&o->wakeup, step);

                        out->common = n->decision;
                        out->n_prefix = n->decision + 1;
                        out->n_last = 1;
                        out->decisions[0] = (struct wire_decision){
                                .actor = w->actor, .choice = WIRE_NO_CHOICE, .waits = w->sure == WAKEUP_WAITS};
                        if (!write_sleep(p, n, w->actor, out) || !write_hints(o, step, out))
                                return STRATEGY_NO_AHEAD;
                }
                return n->decision;
        }
        return STRATEGY_NO_AHEAD;
}
