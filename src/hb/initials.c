/* Which actors may come first in the rest of an execution without one of its transitions: questions to the clocks alone. */
#include "hb/initials.h"

#include "base/bitset.h"
#include "base/search.h"

uint32_t causality_after(const struct causality *c, uint32_t r, uint32_t i)
{
        const struct causality_list *l = r < c->stride ? &c->actors[r].all : NULL;
        uint32_t at = l ? SEARCH(k, l->n, l->at[k] <= i) : 0;

        return l && at < l->n ? l->at[at] : CAUSALITY_NONE;
}

/* Is the first transition of r after i one that may come first, with nothing before it but what comes before i?  Along an
 * actor, what i happens before only grows: the first transition decides. */
static bool comes_first(const struct causality *c, uint32_t r, uint32_t i, uint32_t first)
{
        const uint32_t *clock = causality_clock(c, first);

        for (uint32_t s = 0; s < c->stride; s++)
                if (s != r && clock[s] > i + 1)
                        return false;
        return true;
}

static bool after(const struct causality *c, uint32_t i, uint32_t t)
{
        return causality_clock(c, t)[c->trans.at[i].actor] > i;
}

uint32_t causality_weak(const struct causality *c, uint32_t i, uint32_t r)
{
        uint32_t first = causality_after(c, r, i);

        return first != CAUSALITY_NONE && !after(c, i, first) && comes_first(c, r, i, first) ? first : CAUSALITY_NONE;
}

bool causality_alone(const struct causality *c, uint32_t i, const uint32_t *past)
{
        for (uint32_t r = 0; r < c->stride; r++)
                if (past[r] > i + 1 && !after(c, i, causality_after(c, r, i)))
                        return false;
        return true;
}

void causality_initials(const struct causality *c, uint32_t i, uint32_t actor, const uint32_t *past, uint64_t *bits)
{
        bool others = false;

        for (uint32_t r = 0; r < c->stride; r++) {
                uint32_t first;

                if (past[r] <= i + 1)
                        continue; /* nothing of r after i is in the past */
                first = causality_after(c, r, i);
                if (after(c, i, first))
                        continue;
                others = true;
                if (comes_first(c, r, i, first))
                        bitset_add(bits, r);
        }
        if (!others)
                bitset_add(bits, actor);
}
