/* Figures that follow from others.  Invariant: an exploration with a reason is not complete. */
#include "verdict/stats.h"

#include <math.h>

#define SMALLEST      8   /* executions that are worth a look */
#define STEADY_GROWTH 0.5 /* per doubling; the expected size is steady below it ... */
#define STEADY_TIMES  2   /* ... and trusted after so many doublings */
#define RANGE         4.0

void stats_incomplete(struct stats *st, enum reason reason, const char *detail)
{
        st->complete = false;
        reasons_add(&st->reasons, reason, detail);
}

void stats_reasons(struct stats *st, const struct reasons *reasons)
{
        reasons_merge(&st->reasons, reasons);
        st->complete = st->complete && !st->reasons.set;
}

uint64_t stats_number(const struct stats *st, uint32_t end)
{
        uint64_t cut = 0;

        switch (end) {
        case WIRE_END_SLEEP: /* redundant: of one that was run before */
        case WIRE_END_DEPTH:
        case WIRE_END_BUDGET: cut = st->cut_depth; break;
        case WIRE_END_ASSUME: cut = st->cut_assume; break;
        case WIRE_END_UNSEEN:
        case WIRE_END_CUT:
        case WIRE_END_TOGGLES:
        case WIRE_END_CYCLE: cut = st->cut_spin; break;
        default: break;
        }
        return stats_runs(st) + cut;
}

/* A search finds most of its branches late: the expected size grows with the executions until the upper part of the tree is
 * known.  growth is the exponent: 1 when it doubles with them. */
static void settle(struct settling *s, double executions, double expected)
{
        double growth;

        if (executions < 2 * s->executions || executions < SMALLEST)
                return;
        growth = s->executions > 0 ? log(expected / s->expected) / log(executions / s->executions) : 1;
        s->steady = growth < STEADY_GROWTH ? s->steady + 1 : 0;
        s->executions = executions;
        s->expected = expected;
}

void stats_expect(struct stats *st, double share)
{
        st->share = share;
        if (share > 0) {
                st->expected_executions = (double)st->executions / share;
                st->expected_seconds = st->seconds / share;
                settle(&st->settling, (double)st->executions, st->expected_executions);
        }
}

struct stats_range stats_range(const struct stats *st)
{
        double expected = st->expected_executions, done = (double)st->executions;
        struct stats_range r = {0};

        if (st->share <= 0)
                return r;
        r.low = expected / RANGE > done ? expected / RANGE : done;
        if (st->settling.steady >= STEADY_TIMES)
                r.high = expected * RANGE;
        return r;
}
