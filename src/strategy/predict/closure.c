/*
 * The closure is computed thread by thread until nothing changes.  Only sections that the set leaves open need a look: an open one
 * that another thread's acquire in the set comes after has to end.
 */
#include "strategy/predict/closure.h"

#include "base/deadline.h"

/* The last section of a lane that the set has begun: index + 1, 0: none. */
static uint32_t last_begun(const struct model *m, const struct model_lane *l, const uint32_t *set)
{
        uint32_t lo = 0, hi = l->n;

        while (lo < hi) {
                uint32_t mid = lo + (hi - lo) / 2;
                if (model_has(m, set, m->sections.at[m->order.at[l->first + mid]].acquire))
                        lo = mid + 1;
                else
                        hi = mid;
        }
        return lo ? m->order.at[l->first + lo - 1] + 1 : 0;
}

/* Has the set an acquire of the lock, by another thread, that conflicts with this section and comes after it? */
static bool overtaken(struct closure *c, const struct model_section *s, uint32_t actor, const uint32_t *set)
{
        const struct model *m = c->model;

        for (uint32_t i = m->firsts.at[s->lock]; i < m->firsts.at[s->lock + 1]; i++) {
                uint32_t k = m->lanes.at[i].actor == actor ? 0 : last_begun(m, &m->lanes.at[i], set);

                c->effort++;
                if (k && s->shared)
                        k = m->sections.at[k - 1].exclusive;
                if (k && m->sections.at[k - 1].acquire > s->acquire)
                        return true;
        }
        return false;
}

/* The sections that the set leaves open in a thread.  -1: impossible; 1: the set has grown. */
static int close_thread(struct closure *c, uint32_t actor, uint32_t *set)
{
        const struct model *m = c->model;
        int grown = 0;

        for (uint32_t i = model_open(m, set, actor); i; i = m->held.at[i - 1].next) {
                const struct model_section *s = &m->sections.at[m->held.at[i - 1].section];

                if ((s->release != MODEL_NONE && model_has(m, set, s->release)) || !overtaken(c, s, actor, set))
                        continue;
                if (s->release == MODEL_NONE)
                        return -1;
                model_add(m, set, s->release);
                grown = 1;
        }
        return grown;
}

static bool has_one(const struct model *m, const uint32_t *set, const uint32_t *nodes, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                if (model_has(m, set, nodes[i]))
                        return true;
        return false;
}

bool closure_close(struct closure *c, uint32_t *set, const uint32_t *avoid, uint32_t n_avoid)
{
        const struct model *m = c->model;
        int grown = 1;

        while (grown) {
                grown = 0;
                if (has_one(m, set, avoid, n_avoid))
                        return false;
                for (uint32_t i = 0; i < m->width; i++) {
                        int r = close_thread(c, i, set);

                        c->effort++;
                        if (r < 0 || closure_spent(c) || late_soon())
                                return false;
                        grown |= r;
                }
        }
        return true;
}
