/* The invariants of the happens-before relation (clocks.h). */
#include "hb/causality_check.h"

/* Is the clock of transition t that of its causal past?  Its own component is t + 1; each other one names an earlier
 * transition of that actor, whose clock it contains: happens-before is transitive. */
static bool clock_holds(const struct causality *c, uint32_t t)
{
        const uint32_t *clock = causality_clock(c, t);

        for (uint32_t a = 0; a < c->stride; a++) {
                const uint32_t *past;

                if (a == c->trans.at[t].actor ? clock[a] != t + 1 : clock[a] > t)
                        return false;
                if (!clock[a] || a == c->trans.at[t].actor)
                        continue;
                if (c->trans.at[clock[a] - 1].actor != a)
                        return false;
                past = causality_clock(c, clock[a] - 1);
                for (uint32_t b = 0; b < c->stride; b++)
                        if (past[b] > clock[b])
                                return false;
        }
        return true;
}

/* Does transition t come right after `prev` in its actor's program order, and contain its past? */
static bool program_order_holds(const struct causality *c, uint32_t t)
{
        const struct causality_trans *x = &c->trans.at[t];

        if (x->actor >= c->stride || (x->prev != CAUSALITY_NONE && x->prev >= t))
                return false;
        if (x->prev == CAUSALITY_NONE)
                return true;
        if (c->trans.at[x->prev].actor != x->actor)
                return false;
        for (uint32_t a = 0; a < c->stride; a++)
                if (causality_clock(c, x->prev)[a] > causality_clock(c, t)[a])
                        return false;
        return true;
}

/* Do the arrays of the transitions follow each other? */
static bool marks_hold(const struct causality *c, uint32_t t)
{
        const struct causality_trans *x = &c->trans.at[t], *before = t ? x - 1 : NULL;

        return x->rec_mark <= c->recs.n && x->edge_mark <= x->edge_mid && x->edge_mid <= c->edges.n &&
               x->store_mark <= c->stores.n && x->forward_mark <= c->forwards.n &&
               (!before || (before->rec_mark <= x->rec_mark && before->edge_mid <= x->edge_mark &&
                            before->store_mark <= x->store_mark && before->forward_mark <= x->forward_mark));
}

/* Is the access in the history of its granule, which goes back in time (but for loads that become reads when their store is
 * flushed); and is `unread` the latest before it that is not a
 * read? */
static bool access_holds(const struct causality *c, uint32_t i)
{
        const struct causality_rec *r = &c->recs.at[i], *before;

        if (r->trans >= c->trans.n || r->slot >= 1u << c->slot_bits || !c->slots[r->slot].granule)
                return false;
        if (c->slots[r->slot].head == CAUSALITY_NONE || c->slots[r->slot].head < i)
                return false;
        if (r->prev == CAUSALITY_NONE)
                return r->unread == CAUSALITY_NONE;
        before = &c->recs.at[r->prev];
        return r->prev < i && before->slot == r->slot && (before->trans <= r->trans || c->stores.n) &&
               r->unread == (before->mode == WIRE_MODE_READ ? before->unread : r->prev);
}

static bool actor_holds(const struct causality *c, uint32_t a)
{
        const struct causality_actor *x = &c->actors[a];

        for (uint32_t i = 0; i < x->all.n; i++)
                if (x->all.at[i] >= c->trans.n || c->trans.at[x->all.at[i]].actor != a ||
                    (i && x->all.at[i - 1] >= x->all.at[i]))
                        return false;
        if (x->last != (x->all.n ? x->all.at[x->all.n - 1] : CAUSALITY_NONE))
                return false;
        for (uint32_t e = x->edges; e != CAUSALITY_NONE; e = c->edges.at[e].prev)
                if (e >= c->edges.n || c->edges.at[e].actor != a || c->edges.at[e].from >= c->trans.n ||
                    (c->edges.at[e].prev != CAUSALITY_NONE && c->edges.at[e].prev >= e))
                        return false;
        return true;
}

bool causality_check(const struct causality *c, uint32_t from)
{
        uint32_t rec = from < c->trans.n ? c->trans.at[from].rec_mark : c->recs.n;

        if (c->clocks.n != c->trans.n * c->stride || c->settled != c->trans.n)
                return false;
        for (uint32_t t = from; t < c->trans.n; t++)
                if (!program_order_holds(c, t) || !clock_holds(c, t) || !marks_hold(c, t))
                        return false;
        for (; rec < c->recs.n; rec++)
                if (!access_holds(c, rec))
                        return false;
        for (uint32_t a = 0; a < c->stride; a++)
                if (!actor_holds(c, a))
                        return false;
        return true;
}
