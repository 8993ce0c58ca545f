/* Figures that follow from others.  Invariant: an exploration with a reason is not complete. */
#include "verdict/stats.h"

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

void stats_expect(struct stats *st, double share)
{
        st->share = share;
        if (share > 0) {
                st->expected_executions = (double)st->executions / share;
                st->expected_seconds = st->seconds / share;
        }
}
