/* Reads that wait for a value (wire/loop.h), along a path. */
#include "strategy/dpor/path.h"

/* The transition that entry i is of. */
static uint32_t transition_of(const struct path *p, uint32_t entry)
{
        uint32_t lo = 0, hi = p->causality.trans.n;

        while (hi - lo > 1) {
                uint32_t mid = lo + (hi - lo) / 2;
                *(p->nodes.at[mid].entry <= entry ? &lo : &hi) = mid;
        }
        return lo;
}

uint32_t path_awaits_before(const struct path *p, const struct wire_await *a)
{
        return a->before && p->causality.trans.n && a->before - 1 >= p->nodes.at[0].entry
                       ? transition_of(p, a->before - 1)
                       : CAUSALITY_NONE;
}

uint32_t path_awaits_from(const struct trace *t, uint32_t entry)
{
        uint32_t lo = 0, hi = t->n_awaits;

        while (lo < hi) {
                uint32_t mid = lo + (hi - lo) / 2;
                if (t->awaits[mid].event < entry)
                        lo = mid + 1;
                else
                        hi = mid;
        }
        return lo;
}

bool path_learn_held(struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg)
{
        bool ok = true;

        for (uint32_t i = path_awaits_from(t, t->n_events); i < t->n_awaits && ok; i++) {
                const struct wire_await *a = &t->awaits[i];
                uint32_t earlier = path_awaits_before(p, a);
                const struct wire_thread *w = &t->threads[a->actor];
                struct wire_access access = {.obj = w->obj,
                                             .size = a->size,
                                             .actor = a->actor,
                                             .mode = WIRE_MODE_READ,
                                             .op = (uint8_t)w->op};

                if (earlier != CAUSALITY_NONE)
                        ok = causality_held(&p->causality, &access, earlier, hooks->race, arg);
        }
        return ok;
}
