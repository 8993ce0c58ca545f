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

void stats_expect(struct stats *st, double share)
{
        st->share = share;
        if (share > 0) {
                st->expected_executions = (double)st->executions / share;
                st->expected_seconds = st->seconds / share;
        }
}
