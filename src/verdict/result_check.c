/*
 * The last look at a result.  `safe` and exit status 0 follow from `complete` alone, so a result that claims to be complete
 * must have no reason not to be, must have run something, and must not hold more classes than executions.  A failure must
 * come with a trace and a schedule that shows it.
 */
#include "verdict/result_check.h"

#include "base/assert.h"

static void check_finding(const struct finding *f)
{
        heddle_assert(f->kind < FINDING_KINDS);
        heddle_assert(f->count > 0 && f->execution > 0);
        heddle_assert(f->trace != NULL);
        heddle_assert(f->failure == UINT32_MAX || f->failure < f->trace->n_failures);
        heddle_assert(f->schedule != NULL);
}

void result_check(const struct result *r)
{
        const struct stats *s = &r->stats;

        heddle_assert(s->complete == (s->reasons.set == 0));
        heddle_assert(!s->complete || s->executions + s->cut_assume + s->cut_spin + s->blocked > 0);
        heddle_assert(!s->complete || s->cut_depth + s->cut_bound == 0);
        heddle_assert(s->classes <= s->executions + s->cut_assume);
        heddle_assert(s->transitions <= s->events);
        for (uint32_t i = 0; i < r->n_findings; i++)
                check_finding(&r->findings[i]);
}
