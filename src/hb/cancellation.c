/*
 * Cancelled threads.
 *
 * At its point a thread may continue if what it waits for has come, or if it was asked to end: a disjunction.  So its end races
 * with the request only if it could have continued otherwise, which is judged by the state of what it waited for without
 * the request and all that this happens before.  A signal that interrupts a call is such a request, too.  If it could not, the end comes after the request as a lock comes after the
 * unlock that enabled it, and the race to be reversed is that of the operation that it gave up.
 */
#include "hb/cancellation.h"

#include "hb/granules.h"
#include "op/op.h"

/* A join shows as a look at whether the thread has ended. */
static bool goes_on(const struct wire_access *a, uint64_t state)
{
        return a->op == OP_TRYJOIN ? state != 0 : op_may(a, state);
}

/* The state of the object without transition i and all that it happens before.  These are the latest of its writes, unless some
 * commute: then the others after the first of them are done again.  Transition i may have written it, too: a block or a section does
 * many things. */
static bool state_without(struct causality *c, const struct wire_access *a, uint32_t i, uint64_t *state)
{
        uint32_t first = CAUSALITY_NONE;

        c->again.n = 0;
        for (uint32_t k = granule_head(c, a->obj >> 3); k != CAUSALITY_NONE && c->recs.at[k].trans >= i;
             k = c->recs.at[k].prev) {
                const struct causality_rec *r = &c->recs.at[k];

                if (r->mode == WIRE_MODE_READ || !op_same_kind(r->op, r->value, a->op, a->value))
                        continue;
                if (!causality_remember(k, &c->again))
                        return false;
                if (causality_before(c, i, causality_clock(c, r->trans)))
                        first = k;
        }
        if (first == CAUSALITY_NONE)
                return true;
        *state = op_state(c->recs.at[first].op, c->recs.at[first].value);
        while (c->again.n) {
                const struct causality_rec *r = &c->recs.at[c->again.at[--c->again.n]];
                struct wire_access done = {
                        .value = r->value, .actor = c->trans.at[r->trans].actor, .mode = r->mode, .op = r->op};

                if (r->trans > c->recs.at[first].trans && !causality_before(c, i, causality_clock(c, r->trans)))
                        *state = op_apply(&done, *state);
        }
        return true;
}

bool cancellation_enabler(struct causality *c, const struct wire_event *e, uint32_t *request)
{
        struct wire_access a = op_access(&e[1]);
        uint32_t k = granule_head(c, e->obj >> 3);
        uint64_t state = op_state(a.op, a.value);

        bool signal = e->op == OP_SIGNAL_POINT;

        if (signal && (!e->value || (a.op != OP_TRYJOIN && !op_blocks(a.op))))
                return true; /* it could run a handler before the last one was sent; or it waits in a queue, where the sender woke it */
        while (k != CAUSALITY_NONE && c->recs.at[k].op != (signal ? OP_SIGNAL_SEND : OP_CANCEL))
                k = c->recs.at[k].prev;
        if (k == CAUSALITY_NONE || (!signal && c->recs.at[k].value)) /* asked twice: the last one made no difference */
                return true;
        if (!state_without(c, &a, c->recs.at[k].trans, &state))
                return false;
        if (!goes_on(&a, state))
                *request = c->recs.at[k].trans;
        return true;
}
