/* Limits and estimates.  What is guessed goes into the figures; nothing here decides what is run. */
#include "engine/progress.h"

#include "base/clock.h"
#include "base/deadline.h"

void progress_init(struct progress *p)
{
        *p = (struct progress){.started = clock_now()};
}

void progress_fini(struct progress *p)
{
        estimate_fini(&p->estimate);
        classes_fini(&p->classes);
        stream_fini(&p->shared);
}

void progress_reset(struct progress *p)
{
        estimate_reset(&p->estimate);
        p->trees = 0;
        p->trees_runs = 0;
        p->guess_at = 0;
        p->first_turns = 0;
        classes_fini(&p->classes);
}

double progress_seconds(const struct progress *p)
{
        return p->before + clock_now() - p->started;
}

uint64_t progress_limits(const struct progress *p, const struct config *c, const struct stats *st)
{
        uint64_t reached = 0;

        if (loop_interrupted)
                reached |= REASON_BIT(REASON_INTERRUPTED);
        if (c->executions && st->executions + st->cut_depth >= c->executions)
                reached |= REASON_BIT(REASON_EXECUTIONS);
        if (c->seconds > 0 && clock_now() - p->started >= c->seconds)
                reached |= REASON_BIT(REASON_TIME);
        return reached;
}

bool progress_share_due(const struct progress *p, const struct config *c, const struct strategy *strategy)
{
        return p->shared.n || (c->jobs > 1 && strategy->ops->share && clock_now() - p->started >= c->alone_seconds);
}

bool progress_grow(struct progress *p, const struct strategy *strategy, struct stats *st)
{
        uint32_t branch, depth = strategy_path(strategy, &branch);

        if (strategy->trees != p->trees) {
                estimate_reset(&p->estimate);
                p->trees = strategy->trees;
                p->trees_runs = st->executions - 1;
                st->settling = (struct settling){0};
        }
        if (depth && estimate_add(&p->estimate, branch, depth, 1))
                return false;
        if (st->executions >= p->guess_at) {
                p->guess_at = 2 * st->executions;
                progress_guess(p, strategy, st);
        }
        return true;
}

/* A resumed exploration does not know what the earlier part cost at each node. */
void progress_guess(const struct progress *p, const struct strategy *strategy, struct stats *st)
{
        struct estimate_guess g;
        uint32_t branch;

        st->seconds = progress_seconds(p);
        if (p->in_part)
                return; /* the last guess holds */
        stats_expect(st, p->explored);
        st->share_bound = strategy->trees_bound;
        if (!strategy->ops->tree || p->estimate.spent == 0)
                return;
        g = estimate_guess(&p->estimate, strategy_path(strategy, &branch), strategy->ops->tree->level, strategy);
        stats_expect(st, g.share);
        if (p->before > 0)
                return;
        if (p->trees) { /* those before are done, and cost what they cost */
                double runs = (double)p->trees_runs, own = (double)st->executions - runs;
                st->expected_executions = runs + own / g.share;
                st->expected_seconds = st->seconds * st->expected_executions / (runs + own);
        } else {
                st->expected_seconds = g.cost * st->seconds / p->estimate.spent;
        }
}

void progress_take_predictions(const struct strategy *strategy, struct stats *st)
{
        st->predicts = strategy->prediction != NULL;
        if (strategy->prediction)
                prediction_take(&st->prediction, strategy->prediction);
}
