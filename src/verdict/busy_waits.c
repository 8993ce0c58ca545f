/*
 * Busy waiting.  A thread that looped until another one wrote was woken by an entry that says so; the place is that of its next
 * entry.  Where rounds are cut, such a thread has stopped; where reads wait, it was blocked at one.  Only the first executions are checked: loops show themselves early,
 * and probing costs time.
 *
 * Transactions: all executions of a program that has some in the first ones are checked.
 */
#include "verdict/busy_waits.h"

#include "op/op.h"

#define LOOKED_AT 200

/* The place where the thread continues after entry i; 0: it does not. */
static uint64_t goes_on(const struct trace *t, uint32_t i, uint32_t actor)
{
        for (; i < t->n_events; i++)
                if (t->events[i].actor == actor)
                        return t->events[i].site;
        return 0;
}

void hints_busy(struct result *r, uint64_t site)
{
        for (uint32_t i = 0; i < r->n_busy; i++)
                if (r->busy[i] == site)
                        return;
        if (site && r->n_busy < RESULT_MAX_BUSY)
                r->busy[r->n_busy++] = site;
}

void hints_add(struct result_sites *s, uint64_t site)
{
        for (uint32_t i = 0; i < s->n; i++)
                if (s->at[i] == site)
                        return;
        if (s->n < RESULT_MAX_TXNS)
                s->at[s->n++] = site;
}

static bool has(const struct result_sites *s, uint64_t site)
{
        for (uint32_t i = 0; i < s->n; i++)
                if (s->at[i] == site)
                        return true;
        return false;
}

uint64_t hints_uncommitted(const struct result *r, uint32_t i)
{
        for (uint32_t k = 0; r->stats.complete && r->committed.n < RESULT_MAX_TXNS && k < r->begun.n; k++)
                if (!has(&r->committed, r->begun.at[k]) && i-- == 0)
                        return r->begun.at[k];
        return 0;
}

/* What is run to see whether it aborts by itself (OP_TXN_TRY) is run in another execution, too. */
static void look_at_transactions(struct result *r, const struct trace *t)
{
        if (r->stats.executions > LOOKED_AT && !r->begun.n)
                return;
        for (uint32_t i = 0; i < t->n_events; i++) {
                if (t->events[i].op != OP_TXN_RUN)
                        continue;
                hints_add(&r->begun, t->events[i].site);
                if (t->events[i].value == WIRE_TXN_STARTED)
                        hints_add(&r->committed, t->events[i].site);
        }
}

void hints_look(struct result *r, const struct trace *t)
{
        look_at_transactions(r, t);
        if (r->stats.executions > LOOKED_AT || r->n_busy == RESULT_MAX_BUSY)
                return;
        for (uint32_t i = 0; i < t->n_events; i++)
                if (t->events[i].op == OP_WAKE && (t->events[i].flags & WIRE_EV_SPUN))
                        hints_busy(r, goes_on(t, i + 1, t->events[i].choice));
        for (uint32_t i = 0; i < t->n_threads && t->end == WIRE_END_CUT; i++)
                if (t->threads[i].state == WIRE_T_SPIN)
                        hints_busy(r, t->threads[i].site);
        for (uint32_t i = 0; i < t->n_awaits; i++)
                if (t->awaits[i].how)
                        hints_busy(r, t->awaits[i].event < t->n_events ? t->events[t->awaits[i].event].site
                                                                       : t->threads[t->awaits[i].actor].site);
}
