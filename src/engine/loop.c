/*
 * The main loop.  It knows no strategy by name and no failure by kind: it asks, runs, shows, and counts.
 */
#include "engine/loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/checkpoint.h"
#include "verdict/busy_waits.h"
#include "parallel/coordinator.h"
#include "verdict/verdict.h"
#include "base/deadline.h"
#include "minimize/minimize.h"
#include "verdict/outcome.h"
#include "program/preemption_points.h"
#include "verdict/race_index.h"
#include "verdict/race_table.h"
#include "engine/session.h"
#include "strategy/registry.h"

#define MINIMIZE_LEAST 2.0 /* seconds */
#define MINIMIZE_MORE  8.0

void loop_incomplete(struct stats *st, enum reason reason, const char *detail)
{
        st->complete = false;
        reasons_add(&st->reasons, reason, detail);
}

void loop_reasons(struct stats *st, const struct reasons *reasons)
{
        reasons_merge(&st->reasons, reasons);
        st->complete = st->complete && !st->reasons.set;
}

void loop_forget(struct session *s, struct strategy *strategy)
{
        struct stats *st = &s->result->stats;
        uint64_t looked = st->executions + st->looked;

        log_note("restarted after %llu executions: more memory is shared, or more accesses race, than was known, or "
                 "isolation changed",
                 (unsigned long long)st->executions);
        strategy->ops->reset(strategy);
        estimate_reset(&s->estimate);
        s->trees = 0;
        s->trees_runs = 0;
        judge_reset(s, !s->doubtful);
        s->doubtful = false;
        classes_fini(&s->classes);
        memset(st, 0, sizeof *st);
        st->complete = true;
        st->looked = s->result->n_findings ? looked : 0; /* that is all that the executions were good for */
}

void loop_begin_again(struct session *s, struct strategy *strategy)
{
        uint64_t restarts = s->result->stats.restarts + 1;

        loop_forget(s, strategy);
        s->result->stats.restarts = restarts;
}

/* The limits that are reached, as a set of reasons. */
static uint64_t limits(const struct session *s)
{
        const struct config *c = s->config;
        uint64_t reached = 0;

        if (loop_interrupted)
                reached |= REASON_BIT(REASON_INTERRUPTED);
        if (c->executions && s->result->stats.executions + s->result->stats.cut_depth >= c->executions)
                reached |= REASON_BIT(REASON_EXECUTIONS);
        if (c->seconds > 0 && clock_now() - s->started >= c->seconds)
                reached |= REASON_BIT(REASON_TIME);
        return reached;
}

void loop_expect(struct stats *st, double share)
{
        st->share = share;
        if (share > 0) {
                st->expected_executions = (double)st->executions / share;
                st->expected_seconds = st->seconds / share;
        }
}

/* Where the exploration stands.  A resumed one does not know what the earlier part cost at each node. */
static void guess(struct session *s, const struct strategy *strategy)
{
        struct stats *st = &s->result->stats;
        struct estimate_guess g;
        uint32_t branch;

        st->seconds = s->before + clock_now() - s->started;
        if (s->in_part)
                return; /* the last guess holds */
        loop_expect(st, s->explored);
        st->share_bound = strategy->trees_bound;
        if (!strategy->ops->tree || s->estimate.spent == 0)
                return;
        g = estimate_guess(&s->estimate, strategy_path(strategy, &branch), strategy->ops->tree->level, strategy);
        loop_expect(st, g.share);
        if (s->before > 0)
                return;
        if (s->trees) { /* those before are done, and cost what they cost */
                double runs = (double)s->trees_runs, own = (double)st->executions - runs;
                st->expected_executions = runs + own / g.share;
                st->expected_seconds = st->seconds * st->expected_executions / (runs + own);
        } else {
                st->expected_seconds = g.cost * st->seconds / s->estimate.spent;
        }
}

/* What is done ten times a second at most. */
static void tick(struct session *s, const struct strategy *strategy, loop_progress progress, void *arg)
{
        double now = clock_now();

        if (now - s->ticked < 0.1)
                return;
        s->ticked = now;
        core_look(&s->target.core, s->target.pid);
        guess(s, strategy);
        if (progress)
                progress(arg, &s->result->stats);
        if (checkpoint_due(s, now))
                checkpoint_keep(s, strategy, NULL);
}

static int no_next(struct session *s, int e)
{
        snprintf(s->why, 512, "%s",
                 e == -E2BIG ? "the sleep set of one state exceeds 262,144 accesses; try --preempt sync or a "
                               "smaller test"
                             : "out of memory");
        return SESSION_FAIL;
}

/* Everything within a bound was run, and there is more. */
static void incomplete_bound(struct session *s, uint32_t bound)
{
        char text[96];

        snprintf(text, sizeof text, "%s up to %u preemption%s",
                 s->result->n_findings ? "only executions with" : "no failure with", bound, bound == 1 ? "" : "s");
        loop_incomplete(&s->result->stats, REASON_BOUND, text);
        s->result->stats.proven = 0; /* it is the reason itself */
}

/* Where executions return to earlier states, a search over states takes the place of one over executions, if the strategy
 * permits it; otherwise of each execution the part before the cycle is run.  false: out of memory. */
static bool compare_states(struct session *s, struct strategy **strategy)
{
        if (!strategy_can(s->config->strategy, STRATEGY_STATES))
                return true;
        (*strategy)->ops->destroy(*strategy);
        *strategy = strategy_create_states(s->config, s->target.blocks && s->config->instrumented);
        return *strategy != NULL;
}

/* The run does not count. */
static int begin_again(struct session *s, struct strategy **strategy, bool had_cycles)
{
        if (!had_cycles && s->target.down->cycles == WIRE_CYCLES_ALL && !compare_states(s, strategy))
                return no_next(s, -ENOMEM);
        loop_begin_again(s, *strategy);
        return SESSION_OK;
}

static int explore(struct session *s, struct strategy **owned, loop_progress progress, void *arg)
{
        struct strategy *strategy = *owned;
        uint64_t why = 0, reached = 0; /* reasons */
        bool shared = false;           /* several have explored, and stored what they left */
        bool covered = false, had_cycles;
        int more;

        while (!s->ended) {
                if (jobs_due(s, strategy)) {
                        estimate_reset(&s->estimate); /* nobody sees the whole tree any more */
                        s->result->stats.share = 0;
                        more = jobs_explore(s, strategy, &why, progress, arg);
                        if (more < 0)
                                return more;
                        shared = !s->ended;
                        break;
                }
                reached = limits(s);
                if (reached)
                        guess(s, strategy); /* of a path that was run: next() leaves it */
                more = strategy_next(strategy, &s->schedule, clock_now());
                if (more < 0)
                        return no_next(s, more);
                covered = !more;
                why = more ? reached : 0;
                if (!more || why)
                        break;
                had_cycles = s->target.down->cycles == WIRE_CYCLES_ALL;
                more = loop_step(s, strategy);
                s->ended = more == LOOP_ENDED;
                if (more == LOOP_GREW) {
                        more = begin_again(s, owned, had_cycles);
                        strategy = *owned;
                }
                if (more < 0)
                        return more;
                tick(s, strategy, progress, arg);
        }
        s->result->stats.seconds = s->before + clock_now() - s->started;
        if (covered)
                loop_expect(&s->result->stats, 0); /* nothing is left of it */
        else if (!reached)
                guess(s, strategy);
        if (s->config->save && !shared && !s->in_part)
                checkpoint_keep(s, strategy, NULL); /* before the reason to stop becomes a part of the figures */
        s->result->stats.cut_bound = strategy->cut;
        s->result->stats.proven =
                s->result->stats.complete ? strategy->proven : 0; /* what was cut is proven by nothing */
        if (why)
                loop_reasons(&s->result->stats, &(struct reasons){.set = why});
        else if (covered && !strategy_can(s->config->strategy, STRATEGY_PROVES))
                loop_incomplete(&s->result->stats, REASON_RANDOM, strategy->partial_detail);
        else if (covered && strategy->partial)
                loop_incomplete(&s->result->stats, strategy->partial, strategy->partial_detail);
        else if (strategy->cut)
                incomplete_bound(s, strategy->bound);
        points_tell(s, strategy);
        return 0;
}

/* How long failures may be minimised: some seconds, and more where the search took longer; but within --time. */
static double minimize_seconds(const struct session *s)
{
        const struct config *c = s->config;
        double took = clock_now() - s->started, left = c->seconds + LATE_ANALYSIS - took;
        double seconds = MINIMIZE_LEAST + (took < MINIMIZE_MORE ? took : MINIMIZE_MORE);

        if (c->minimize_seconds || c->capture)
                seconds = c->capture ? 0 : c->minimize_seconds;
        return c->seconds > 0 && left < seconds ? left : seconds;
}

static void minimize(struct session *s, loop_progress progress, void *arg)
{
        struct stats *st = &s->result->stats;
        double seconds = minimize_seconds(s);

        if (seconds <= 0)
                return;
        st->minimizing = true;
        if (progress)
                progress(arg, st);
        minimize_all(s, seconds);
        st->minimizing = false;
}

/* From the beginning, or from where --resume says. */
static int begin(struct session *s, struct strategy *strategy)
{
        int e = SESSION_OK;

        if (s->config->jobs > 1 && s->config->bounded) {
                snprintf(s->why, 512, "--jobs: a search with --bound cannot be shared; leave one of the two out");
                return SESSION_USAGE;
        }
        if (s->config->jobs > 1 && !strategy_can(s->config->strategy, STRATEGY_SHARES)) {
                snprintf(s->why, 512, "--jobs: --strategy %s cannot be shared; leave one of the two out",
                         strategy_row(s->config->strategy)->name);
                return SESSION_USAGE;
        }
        if (s->config->count_classes && (s->config->jobs > 1 || s->config->save || s->config->resume)) {
                snprintf(s->why, 512,
                         "--count-classes needs one process and a new exploration; leave out --jobs, --save and "
                         "--resume");
                return SESSION_USAGE;
        }
        if ((s->config->jobs > 1 || s->config->resume) && s->target.aslr) {
                snprintf(s->why, 512,
                         "--%s: addresses are different in every process here, since personality() is not "
                         "permitted; leave it out",
                         s->config->resume ? "resume" : "jobs");
                return SESSION_USAGE;
        }
        if (s->config->resume)
                e = checkpoint_load(s, strategy);
        s->doubtful = false;
        if (e == SESSION_OK && s->config->save)
                e = checkpoint_begin(s, strategy);
        return e;
}

/* Which leaks are failures is known at the end: several explorers may have run what one of them has to compare. */
static int settle_leaks(struct result *r, const struct config *config)
{
        bool all = config->leaks == LEAKS_ALL;
        uint64_t *ignored = &r->stats.ignored[FINDING_LEAK], n = leaks_executions(r, all);

        if (!(config->ignored >> FINDING_LEAK & 1))
                return leaks_settle(r, all);
        *ignored = *ignored > n ? *ignored : n;
        return 0;
}

int loop_explore(const struct config *config, struct result *r, char why[512], loop_progress progress, void *arg)
{
        struct strategy *strategy = NULL;
        struct session s;
        int e;

        memset(r, 0, sizeof *r);
        r->stats.complete = true;
        e = session_init(&s, config, r, why);
        if (e == SESSION_OK)
                strategy = strategy_create(config, s.target.blocks && config->instrumented);
        if (e == SESSION_OK && !strategy) {
                snprintf(why, 512, "out of memory");
                e = SESSION_FAIL;
        }
        if (e == SESSION_OK)
                e = begin(&s, strategy);
        if (e == SESSION_OK)
                e = explore(&s, &strategy, progress, arg);
        if (e == SESSION_OK && settle_leaks(r, config))
                e = SESSION_FAIL;
        late_after(config->seconds > 0 ? s.started + config->seconds + LATE_REPORT : 0, true);
        if (e == SESSION_OK && r->n_findings)
                minimize(&s, progress, arg);
        if (e == SESSION_OK)
                races_mark(&s);
        if (e == SESSION_INTR)
                loop_incomplete(&r->stats, REASON_INTERRUPTED, NULL);
        session_labels(&s);
        for (uint32_t i = 0; i < r->n_findings; i++) /* the search stopped before an execution that counts showed it */
                r->findings[i].count += !r->findings[i].count;
        if (r->n_findings && !config->keep_going)
                loop_incomplete(&r->stats, REASON_FIRST_FAILURE, NULL);
        if (strategy)
                strategy->ops->destroy(strategy);
        session_fini(&s);
        return e < 0 ? e : LOOP_OK;
}

void result_fini(struct result *r)
{
        for (uint32_t i = 0; i < r->n_findings; i++) {
                free(r->findings[i].schedule);
                free(r->findings[i].trace);
                free(r->findings[i].races);
        }
        outcome_reset(r);
        leaks_fini(r);
        race_table_reset(r);
        for (uint32_t i = 0; i < r->n_observed; i++)
                free(r->observed[i].name);
        free(r->captured);
        free(r->findings);
        free(r->observed);
        free(r->modules);
        free(r->labels);
        free(r->replayed);
        for (uint32_t i = 0; i < r->n_sets; i++)
                free((void *)r->sets[i].sites);
        free(r->sets);
        for (uint32_t i = 0; i < r->n_excluded; i++)
                free(r->excluded[i]);
        free(r->excluded);
        memset(r, 0, sizeof *r);
}
