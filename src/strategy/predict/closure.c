/* The closure is computed lock by lock until nothing changes; the last section of each thread in the set decides. */
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

struct latest { /* acquires of a lock in the set, as node + 1 */
        uint32_t any, exclusive;
};

static struct latest latest_of(const struct model *m, uint32_t lane, uint32_t n, const uint32_t *set)
{
        struct latest r = {0, 0};

        for (uint32_t i = lane; i < lane + n; i++) {
                uint32_t s = last_begun(m, &m->lanes.at[i], set), x;

                if (!s)
                        continue;
                x = m->sections.at[s - 1].exclusive;
                if (m->sections.at[s - 1].acquire + 1 > r.any)
                        r.any = m->sections.at[s - 1].acquire + 1;
                if (x && m->sections.at[x - 1].acquire + 1 > r.exclusive)
                        r.exclusive = m->sections.at[x - 1].acquire + 1;
        }
        return r;
}

/* One lock, whose lanes begin here.  -1: impossible; 1: the set has grown. */
static int close_lock(const struct model *m, uint32_t lane, uint32_t n, uint32_t *set)
{
        struct latest top = latest_of(m, lane, n, set);
        int grown = 0;

        for (uint32_t i = lane; i < lane + n; i++) {
                uint32_t s = last_begun(m, &m->lanes.at[i], set);
                const struct model_section *c = s ? &m->sections.at[s - 1] : NULL;

                if (!c || c->acquire + 1 >= (c->shared ? top.exclusive : top.any))
                        continue;
                if (c->release == MODEL_NONE)
                        return -1;
                if (model_has(m, set, c->release))
                        continue;
                model_add(m, set, c->release);
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
                for (uint32_t i = 0, n; i < m->lanes.n; i += n) {
                        int r = 0;

                        for (n = 1; i + n < m->lanes.n && m->lanes.at[i + n].lock == m->lanes.at[i].lock; n++)
                                ;
                        c->effort += n;
                        if (n > 1)
                                r = close_lock(m, i, n, set);
                        if (r < 0 || closure_spent(c) || late_soon())
                                return false;
                        grown |= r;
                }
        }
        return true;
}
