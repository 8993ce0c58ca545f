/*
 * The main loop.  It knows no strategy by name and no failure by kind: it asks, runs, shows, and counts.
 */
#include "engine/loop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/log.h"
#include "engine/checkpoint.h"
#include "engine/fairness.h"
#include "engine/matching.h"
#include "smt/solver.h"
#include "strategy/registry.h"

void loop_forget(struct session *s, struct strategy *strategy)
{
        struct stats *st = &s->result->stats;
        uint64_t probes = st->executions + st->probes;

        log_note("restarted after %llu executions: more memory is shared, or more accesses race, than was known, or "
                 "isolation changed",
                 (unsigned long long)st->executions);
        strategy->ops->reset(strategy);
        s->run.schedule.points = NULL; /* the strategy's */
        progress_reset(&s->progress);
        judge_reset(&s->judge, !s->run.doubtful);
        s->run.doubtful = false;
        memset(st, 0, sizeof *st);
        st->complete = true;
        st->probes = s->result->n_findings ? probes : 0; /* that is all that the executions were good for */
}

void loop_begin_again(struct session *s, struct strategy *strategy)
{
        uint64_t restarts = s->result->stats.restarts + 1;

        loop_forget(s, strategy);
        s->result->stats.restarts = restarts;
}

/* What is done ten times a second at most. */
static void tick(struct session *s, loop_progress progress, void *arg)
{
        double now = clock_now();

        if (now - s->progress.ticked < 0.1)
                return;
        s->progress.ticked = now;
        core_look(&s->program.target.core, s->program.target.pid);
        if (!s->matching.kept)
                progress_guess(&s->progress, s->strategy, &s->result->stats);
        if (progress)
                progress(arg, &s->result->stats);
        if (!s->matching.kept && checkpoint_due(s, now))
                checkpoint_keep(s, s->strategy, NULL);
}

static int no_next(struct session *s, int e)
{
        if (e != -E2BIG)
                return error_memory(s->why);
        return error_set(s->why, ERROR_FAIL,
                         "the sleep set of one state exceeds 262,144 accesses; try --preempt sync or a smaller test");
}

/* Where executions return to earlier states, a search over states takes the place of one over executions, if the strategy
 * permits it; otherwise of each execution the part before the cycle is run.  false: out of memory. */
static bool compare_states(struct session *s)
{
        if (!strategy_can(s->config->strategy, STRATEGY_STATES))
                return true;
        s->strategy->ops->destroy(s->strategy);
        s->strategy = strategy_create_states(s->config, program_has_blocks(&s->program));
        return s->strategy != NULL;
}

int loop_replace(struct session *s, const char *why)
{
        log_note("%s: optimal takes its place", why);
        s->strategy->ops->destroy(s->strategy);
        s->strategy = strategy_create_instead(s->config, program_has_blocks(&s->program), why);
        return s->strategy ? (int)RUN_OK : error_memory(s->why);
}

static int create(struct session *s)
{
        s->strategy = strategy_create(s->config, program_has_blocks(&s->program));
        if (!s->strategy)
                return error_memory(s->why);
        if (s->config->analysed && s->program.irrelevant) {
                s->strategy->irrelevant = program_irrelevant;
                s->strategy->sites = &s->program;
        }
        return RUN_OK;
}

/* A trial has run all that it knows: a search over states takes its place, or the strategy that waits for it. */
static int after_trial(struct session *s)
{
        if (!matching_done(s))
                return RUN_OK;
        if (!compare_states(s))
                return error_memory(s->why);
        loop_begin_again(s, s->strategy);
        return RUN_OK;
}

/* The run does not count. */
static int begin_again(struct session *s, bool had_cycles)
{
        const char *why = s->strategy->unmodelled;
        uint32_t proven = why ? s->strategy->proven : 0;

        if (why && loop_replace(s, why) != RUN_OK)
                return ERROR_FAIL;
        if (!had_cycles && program_has_cycles(&s->program) && !compare_states(s))
                return error_memory(s->why);
        loop_begin_again(s, s->strategy);
        s->strategy->proven = proven;
        return RUN_OK;
}

/* Asks for the next schedule.  A strategy that searches for it may take long: not beyond --time. */
int loop_next(struct session *s)
{
        double now = clock_now(), limit = s->config->seconds > 0 ? s->progress.started + s->config->seconds : 0;
        double own = now + s->config->solver_seconds;
        bool sooner = s->config->solver_seconds > 0 && (limit <= 0 || own < limit);
        int more;

        s->strategy->raced = s->result->n_races > 0;
        s->strategy->unwatched = reasons_has(&s->result->stats.reasons, REASON_ACCESSES);
        if (!s->strategy->searches)
                return strategy_next(s->strategy, &s->run.schedule, now);
        late_after(sooner ? own : limit, true);
        more = strategy_next(s->strategy, &s->run.schedule, now);
        s->result->stats.query_seconds += clock_now() - now;
        if (sooner && s->strategy->counts_values && late_reported() && !loop_interrupted)
                s->strategy->unmodelled = "a search that takes longer than --solver-timeout";
        return more;
}

int loop_run(struct session *s, loop_progress progress, void *arg)
{
        struct progress *p = &s->progress;
        struct stats *st = &s->result->stats;
        bool had_cycles;
        int more;

        while (!p->ended && !progress_share_due(p, s->config, s->strategy)) {
                p->reached = progress_limits(p, s->config, st);
                if (p->reached) {
                        matching_stop(s, false);
                        progress_guess(p, s->strategy, st); /* of a path that was run: next() leaves it */
                }
                more = loop_next(s);
                if (more == 0 && s->matching.kept) {
                        more = after_trial(s);
                        if (more == RUN_OK)
                                continue;
                        return more;
                }
                if (more < 0)
                        return no_next(s, more);
                p->covered = !more;
                if (p->covered && !p->reached && fairness_more(s)) {
                        loop_begin_again(s, s->strategy);
                        continue;
                }
                if (p->covered || p->reached)
                        break;
                had_cycles = program_has_cycles(&s->program);
                more = loop_step(s, s->strategy);
                if (more == LOOP_ENDED && s->matching.kept && p->in_part)
                        more = LOOP_MORE; /* a limit is reached in a trial */
                p->ended = more == LOOP_ENDED;
                if (p->ended || p->in_part || more == LOOP_GREW)
                        matching_stop(s, p->ended);
                if (more == LOOP_GREW)
                        more = begin_again(s, had_cycles);
                else if (more == LOOP_MORE)
                        more = matching_turn(s);
                if (more < 0)
                        return more;
                tick(s, progress, arg);
        }
        return RUN_OK;
}

/* There is more beyond a bound.  Within it everything was run if the exploration was not left. */
static void incomplete_bound(struct session *s, uint32_t bound)
{
        struct stats *st = &s->result->stats;
        char text[96];

        snprintf(text, sizeof text, "%s up to %u preemption%s",
                 s->result->n_findings || !s->progress.covered ? "only executions with" : "no failure with", bound,
                 bound == 1 ? "" : "s");
        stats_incomplete(st, REASON_BOUND, text);
        st->proven = 0; /* it is the reason itself */
}

static void keep_set(void *arg, const struct point_set_result *set)
{
        result_add_set(arg, set);
}

/* The sets of a strategy that chooses points by itself. */
static void keep_sets(struct result *r, const struct strategy *strategy)
{
        if (!strategy->ops->points)
                return;
        strategy->ops->points->report(strategy, keep_set, r);
        for (uint32_t i = 0; i < r->n_races && r->stats.complete; i++)
                r->races[i].points = true; /* the maximal set has them all */
}

static void keep_instead(struct result *r, const struct strategy *strategy)
{
        r->instead_why = strategy->instead;
        r->instead = strategy->instead ? strategy->ops->persist->format : NULL;
}

/* A strategy that proves nothing has run what it was asked for. */
static void incomplete_draws(struct session *s)
{
        struct stats *st = &s->result->stats;
        char text[128];

        snprintf(text, sizeof text,
                 "%llu schedules were run by %u workers, which proves nothing; more with --executions or --time",
                 (unsigned long long)st->executions, s->config->jobs);
        stats_incomplete(st, REASON_RANDOM,
                         s->progress.was_shared        ? text
                         : s->strategy->partial_detail ? s->strategy->partial_detail
                                                       : "the strategy proves nothing");
}

void loop_end(struct session *s)
{
        struct progress *p = &s->progress;
        struct stats *st = &s->result->stats;

        st->seconds = progress_seconds(p);
        fairness_end(s);
        if (s->run.ahead.total)
                log_note("%llu executions were run with the message of another one",
                         (unsigned long long)s->run.ahead.total);
        if (p->covered)
                stats_expect(st, 0); /* nothing is left of it */
        else if (!p->reached || p->was_shared)
                progress_guess(p, s->strategy, st);
        if (s->config->save && !(p->was_shared && !p->ended) && !p->in_part)
                checkpoint_keep(s, s->strategy, NULL); /* before the reason to stop becomes a part of the figures */
        st->cut_bound = s->strategy->cut;
        st->counts_values = s->strategy->counts_values;
        st->value_classes = p->was_shared && st->counts_values ? st->executions : s->strategy->value_classes;
        st->queries = s->strategy->queries;
        st->smt_queries = s->strategy->smt_queries;
        st->reads = s->strategy->reads;
        progress_take_predictions(s->strategy, st);
        if (p->was_shared) /* workers may have seen the same pairs */
                st->prediction.counted = false;
        st->proven = st->complete ? s->strategy->proven : 0; /* what was cut is proven by nothing */
        if (s->program.target.down->preempt != WIRE_PREEMPT_ALL &&
            (s->run.lines.shared || (s->run.lines.on && strategy_can(s->config->strategy, STRATEGY_POINTS))))
                stats_incomplete(st, REASON_LINE, NULL);
        if (p->reached && !p->covered)
                stats_reasons(st, &(struct reasons){.set = p->reached});
        else if (p->covered && !strategy_can(s->config->strategy, STRATEGY_PROVES))
                incomplete_draws(s);
        else if (p->covered && s->strategy->partial)
                stats_incomplete(st, s->strategy->partial, s->strategy->partial_detail);
        else if (s->strategy->cut)
                incomplete_bound(s, s->strategy->bound);
        keep_sets(s->result, s->strategy);
        keep_instead(s->result, s->strategy);
}

/* Options that do not go together, once it is known where the program runs. */
static int check_options(const struct session *s)
{
        const struct config *c = s->config;

        const char *how = c->shards ? "shard" : !c->store ? "jobs" : strchr(c->store, ':') ? "cluster" : "spool";

        const char *strategy = strategy_row(c->strategy)->name;

        if (c->dependences > STATIC_OFF && strcmp(strategy, "mcr") != 0 &&
            (c->dependences != STATIC_ON || strcmp(strategy, "deepen") != 0))
                return error_set(s->why, ERROR_USAGE,
                                 "--static needs --strategy mcr, or deepen; leave it out, or add that");
        if (c->mcr == MCR_CHECKED && !smt_version())
                return error_set(
                        s->why, ERROR_USAGE,
                        "--mcr checked needs Z3: install libz3-dev and build heddle again, or use --mcr complete");
        if (config_shared(c) && c->bounded)
                return error_set(s->why, ERROR_USAGE,
                                 "--%s: a search with --bound cannot be shared; leave one of the two out", how);
        if (config_many(c) && c->mcr)
                return error_set(s->why, ERROR_USAGE, "--%s: --mcr cannot be shared; leave one of the two out", how);
        if (config_shared(c) && !strategy_can(c->strategy, STRATEGY_SHARES) &&
            !strategy_can(c->strategy, config_many(c) ? STRATEGY_PARTS : STRATEGY_ALONE | STRATEGY_DRAWS))
                return error_set(s->why, ERROR_USAGE, "--%s: --strategy %s cannot be shared; leave one of the two out",
                                 how, strategy_row(c->strategy)->name);
        if (c->count_classes && (config_shared(c) || c->save || c->resume))
                return error_set(s->why, ERROR_USAGE,
                                 "--count-classes needs one process and a new exploration; leave out --%s, --save "
                                 "and --resume",
                                 how);
        if ((config_shared(c) || c->resume) && s->program.target.spawn.aslr)
                return error_set(s->why, ERROR_USAGE,
                                 "--%s: addresses are different in every process here, since personality() is not "
                                 "permitted; leave it out",
                                 c->resume ? "resume" : how);
        if (c->shards && (c->jobs > 1 || c->save || c->resume))
                return error_set(s->why, ERROR_USAGE,
                                 "--shard: a shard is explored by one process from its beginning; leave out --%s",
                                 c->jobs > 1 ? "jobs"
                                 : c->save   ? "save"
                                             : "resume");
        return RUN_OK;
}

int loop_begin(struct session *s)
{
        int e = create(s);

        if (e != RUN_OK)
                return e;
        if (program_has_cycles(&s->program) && !compare_states(s))
                return error_memory(s->why);
        e = check_options(s);
        if (e == RUN_OK && s->config->resume)
                e = checkpoint_load(s, s->strategy);
        if (e == RUN_OK && s->progress.shared.n && s->strategy->ops->parts && !config_many(s->config) &&
            !strategy_can(s->config->strategy, STRATEGY_DRAWS))
                e = error_set(s->why, ERROR_USAGE,
                              "--resume: the search of %.300s was divided among machines; continue it with --spool or "
                              "--cluster",
                              s->config->resume);
        s->run.doubtful = false;
        if (e == RUN_OK && s->config->save)
                e = checkpoint_begin(s, s->strategy);
        return e;
}
