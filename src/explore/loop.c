/*
 * The main loop.  It knows no strategy by name and no failure by kind: it asks, runs, shows, and counts.
 */
#include "explore/loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "explore/checkpoint.h"
#include "explore/hints.h"
#include "explore/jobs.h"
#include "explore/judge.h"
#include "explore/minimize.h"
#include "explore/outcome.h"
#include "explore/points.h"
#include "explore/races.h"
#include "explore/session.h"
#include "explore/strategy.h"

#define MINIMIZE_LEAST 2.0 /* seconds */
#define MINIMIZE_MORE  8.0
#define SAVE_GRACE     10.0

static void incomplete(struct stats *st, const char *why)
{
        st->complete = false;
        if (!st->why_incomplete[0])
                snprintf(st->why_incomplete, sizeof st->why_incomplete, "%s", why);
}

/* One more execution for the figures. */
static void count(struct session *s)
{
        struct stats *st = &s->result->stats;
        const struct trace *t = &s->trace;

        if (s->target.up->incomplete) { /* asked after every run: a target that is started anew forgets it */
                char left_out[WIRE_TEXT];
                snprintf(left_out, sizeof left_out, "%.*s", (int)WIRE_TEXT - 1, s->target.up->incomplete_text);
                incomplete(st, left_out);
        }
        if (s->unwatched[0])
                incomplete(st, s->unwatched);
        if (t->end == WIRE_END_UNSEEN)
                incomplete(
                        st,
                        "a thread waits in a loop for memory that was written unseen, by inline assembly or code that "
                        "heddle cc did not build");
        if (s->looking) {
                st->looked++;
                return;
        }
        st->timed_out += s->target.up->timeouts != 0;
        st->events += t->n_events;
        st->transitions += t->n_transitions;
        uint32_t threads = trace_threads(t);
        st->threads = threads > st->threads ? threads : st->threads;
        switch (t->end) {
        case WIRE_END_SLEEP:
                st->blocked++;
                if (t->n_transitions > s->schedule.n_prefix)
                        st->blocked_events += t->n_transitions - s->schedule.n_prefix;
                break;
        case WIRE_END_ASSUME: st->cut_assume++; break;
        case WIRE_END_DEPTH:
                st->cut_depth++;
                incomplete(st, s->config->depth ? "some executions were cut at --depth"
                                                : "some executions were cut: they have more than a million events");
                break;
        case WIRE_END_BUDGET:
                st->cut_depth++;
                incomplete(st, "some executions were cut at --thread-depth");
                break;
        case WIRE_END_UNSEEN: st->cut_spin++; break;
        default: st->executions++;
        }
}

void loop_forget(struct session *s, struct strategy *strategy)
{
        struct stats *st = &s->result->stats;

        log_note("begun again after %llu executions: more memory is shared or more accesses race than was known, or "
                 "isolation changed",
                 (unsigned long long)st->executions);
        strategy->ops->reset(strategy);
        estimate_reset(&s->estimate);
        s->trees = 0;
        s->trees_runs = 0;
        judge_reset(s);
        classes_fini(&s->classes);
        memset(st, 0, sizeof *st);
        st->complete = true;
}

void loop_begin_again(struct session *s, struct strategy *strategy)
{
        uint64_t restarts = s->result->stats.restarts + 1;

        loop_forget(s, strategy);
        s->result->stats.restarts = restarts;
}

/* The limit that is reached, or NULL. */
static const char *limit(const struct session *s)
{
        const struct config *c = s->config;

        if (loop_interrupted)
                return "interrupted";
        if (c->executions && s->result->stats.executions + s->result->stats.cut_depth >= c->executions)
                return "the limit of --executions was reached";
        if (c->seconds > 0 && session_now() - s->started >= c->seconds)
                return "the limit of --time was reached";
        return NULL;
}

/* The first entry in which two traces differ, or UINT32_MAX. */
static uint32_t first_difference(const struct trace *a, const struct trace *b)
{
        uint32_t n = a->n_events < b->n_events ? a->n_events : b->n_events, step = 0;

        for (uint32_t i = 0; i < n; i++) {
                const struct wire_event *x = &a->events[i], *y = &b->events[i];
                if (x->actor != y->actor || x->op != y->op || x->obj != y->obj || x->size != y->size ||
                    x->mode != y->mode || x->pos != y->pos)
                        return step;
                step += x->flags & WIRE_EV_SCHED;
        }
        return a->n_events == b->n_events && a->end == b->end ? UINT32_MAX : step;
}

/* The first execution is run twice: a program that does not do the same both times cannot be explored. */
static int run_twice(struct session *s)
{
        struct trace *first = trace_copy(&s->trace);
        uint32_t step;
        int e;

        if (!first)
                return SESSION_FAIL;
        e = session_run(s, 0, 0);
        if (e == SESSION_OK) {
                step = first_difference(first, &s->trace);
                if (step != UINT32_MAX) {
                        s->trace.end = WIRE_END_DIVERGED;
                        s->trace.step = step;
                        s->trace.text = "two runs of the same schedule differ";
                }
        }
        free(first);
        return e;
}

/* --count-classes.  false: out of memory. */
static bool classify(struct session *s)
{
        bool ends = s->trace.end != WIRE_END_SLEEP && s->trace.end != WIRE_END_DEPTH &&
                    s->trace.end != WIRE_END_BUDGET && s->trace.end != WIRE_END_UNSEEN;
        int fresh = s->config->count_classes && ends && !s->looking ? classes_add(&s->classes, &s->trace) : 0;

        s->result->stats.classes += fresh > 0;
        return fresh >= 0 || late();
}

static int judge(struct session *s)
{
        int e = judge_outcome(s);

        hints_look(s);
        return e == SESSION_OK ? judge_failures(s) : e;
}

static int not_learnt(struct session *s, int error)
{
        if (error == -ENOMEM)
                snprintf(s->why, 512, "out of memory");
        else
                snprintf(s->why, 512, "the trace of execution %llu makes no sense",
                         (unsigned long long)s->result->stats.executions);
        return SESSION_FAIL;
}

/* The strategy's tree has one more path; false: out of memory. */
static bool grown(struct session *s, const struct strategy *strategy)
{
        uint32_t branch, depth = strategy->ops->path ? strategy->ops->path(strategy, &branch) : 0;

        if (strategy->trees != s->trees) {
                estimate_reset(&s->estimate);
                s->trees = strategy->trees;
                s->trees_runs = s->result->stats.executions - 1;
        }
        return !depth || !estimate_add(&s->estimate, branch, depth, 1);
}

/* Races may make more points; the strategy's own affair, if it chooses points. */
static int deepen(struct session *s, struct strategy *strategy)
{
        const struct trace *t = &s->trace;
        const struct result *r = s->result;
        int e = SESSION_OK;

        if (strategy->ops->raced && (e = strategy->ops->raced(strategy, r->races, r->n_races)) != 0)
                return e == -E2BIG ? points_too_many(s) : not_learnt(s, e);
        if (r->n_findings && !s->config->keep_going)
                return LOOP_ENDED;
        if (strategy->ops->judged)
                strategy->ops->judged(strategy, t->n_failures > 0 || t->end == WIRE_END_STUCK);
        else
                e = points_learn(s);
        return e == SESSION_GREW ? LOOP_GREW : e < 0 ? e : LOOP_MORE;
}

/* When --time ends, 0: never. */
static double time_limit(const struct session *s)
{
        return s->config->seconds > 0 ? s->started + s->config->seconds : 0;
}

/* The next execution. */
static int run(struct session *s, const struct strategy *strategy)
{
        int e;

        s->looking = strategy->looking;
        if (s->config->depth) /* who could have gone on, where an execution is cut */
                s->schedule.flags |= WIRE_WANT_ENABLED;
        late_after(time_limit(s), true);
        e = session_run(s, 0, strategy->ops->known(strategy));
        if (e == SESSION_OK && s->result->stats.transitions == 0 && s->trace.n_failures == 0 &&
            s->trace.n_transitions > 1)
                e = run_twice(s);
        late_after(0, true);
        return e;
}

/* *in_part: the rest would have taken too long.  That a strategy knows a part of an execution ends the exploration, and
 * cannot be stored: with --save it gets more time. */
static int learn(struct session *s, struct strategy *strategy, bool *in_part)
{
        bool save = s->config->save != NULL;
        int e;

        late_after(!save                                       ? time_limit(s)
                   : s->config->jobs <= 1 && time_limit(s) > 0 ? time_limit(s) + SAVE_GRACE
                                                               : 0,
                   !save);
        e = strategy->ops->learn(strategy, &s->trace);
        *in_part = e == -EINTR || (e == -ENOMEM && late());
        late_after(0, true);
        if (*in_part)
                incomplete(&s->result->stats, loop_interrupted ? "interrupted" : "the limit of --time was reached");
        s->in_part |= *in_part;
        return *in_part ? 0 : e;
}

int loop_step(struct session *s, struct strategy *strategy)
{
        const struct stats *st = &s->result->stats;
        bool in_part = false; /* learnt */
        int e = run(s, strategy);

        if (e == SESSION_INTR)
                return LOOP_AGAIN;
        if (e == SESSION_DIED) {
                s->result->stats.executions++;
                incomplete(&s->result->stats, "the program killed its own process");
                e = judge_died(s);
                return e == SESSION_OK ? LOOP_ENDED : e;
        }
        if (e == SESSION_OK) {
                count(s);
                int learnt = learn(s, strategy, &in_part);
                if (!strategy->looking && !grown(s, strategy))
                        learnt = learnt ? learnt : -ENOMEM;
                if (!classify(s))
                        learnt = -ENOMEM;
                if (learnt && s->trace.end != WIRE_END_DIVERGED)
                        return not_learnt(s, learnt);
                if (s->config->capture && st->executions == s->config->capture) {
                        s->result->captured = session_text(s, &s->trace, s->trace.n_events, WIRE_NO_ACTOR);
                        return 0;
                }
                e = judge(s);
        }
        if (e == SESSION_GREW)
                return LOOP_GREW;
        if (e == SESSION_INTR)
                return LOOP_MORE; /* the limit that this is stops the loop */
        if (e != SESSION_OK)
                return e;
        if (s->trace.end == WIRE_END_DIVERGED) {
                incomplete(&s->result->stats, "the program is nondeterministic");
                return LOOP_ENDED;
        }
        return in_part ? LOOP_ENDED : deepen(s, strategy);
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

        st->seconds = s->before + session_now() - s->started;
        loop_expect(st, s->explored);
        st->share_bound = strategy->trees_bound;
        if (!strategy->ops->path || s->estimate.spent == 0 || s->in_part)
                return;
        g = estimate_guess(&s->estimate, strategy->ops->path(strategy, &branch), strategy->ops->level, strategy);
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
        double now = session_now();

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
                 e == -E2BIG ? "the exploration is too wide: what waits to be run at one state touches more "
                               "than 262,144 places; use --preempt sync, or check a smaller case"
                             : "out of memory");
        return SESSION_FAIL;
}

/* Everything within a bound was run, and there is more. */
static void incomplete_bound(struct session *s, uint32_t bound)
{
        char text[96];

        snprintf(text, sizeof text, "%s up to %u preemption%s",
                 s->result->n_findings ? "only executions with" : "no failure with", bound, bound == 1 ? "" : "s");
        incomplete(&s->result->stats, text);
        s->result->stats.proven = 0; /* it is the reason itself */
}

static int explore(struct session *s, struct strategy *strategy, loop_progress progress, void *arg)
{
        const char *why = NULL, *reached = NULL;
        bool shared = false; /* several have explored, and stored what they left */
        bool covered = false;
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
                reached = limit(s);
                if (reached)
                        guess(s, strategy); /* of a path that was run: next() leaves it */
                more = strategy->ops->next(strategy, &s->schedule);
                if (more < 0)
                        return no_next(s, more);
                covered = !more;
                why = more ? reached : strategy->partial;
                if (!more || why)
                        break;
                more = loop_step(s, strategy);
                if (more < 0)
                        return more;
                s->ended = more == LOOP_ENDED;
                if (more == LOOP_GREW)
                        loop_begin_again(s, strategy);
                tick(s, strategy, progress, arg);
        }
        s->result->stats.seconds = s->before + session_now() - s->started;
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
                incomplete(&s->result->stats, why);
        else if (strategy->cut)
                incomplete_bound(s, strategy->bound);
        points_tell(s, strategy);
        return 0;
}

/* How long failures may be minimised: some seconds, and more where the search took longer. */
static double minimize_seconds(const struct session *s)
{
        const struct config *c = s->config;
        double took = session_now() - s->started;

        if (c->minimize_seconds || c->capture)
                return c->capture ? 0 : c->minimize_seconds;
        return MINIMIZE_LEAST + (took < MINIMIZE_MORE ? took : MINIMIZE_MORE);
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
        if (s->config->jobs > 1 && !strategy->ops->share) {
                snprintf(s->why, 512, "--jobs: --strategy %s cannot be shared; leave one of the two out",
                         strategy->ops->name);
                return SESSION_USAGE;
        }
        if (s->config->count_classes && (s->config->jobs > 1 || s->config->save || s->config->resume)) {
                snprintf(s->why, 512,
                         "--count-classes: one explorer counts, from the beginning; leave out --jobs, --save and "
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
        if (e == SESSION_OK && s->config->save)
                e = checkpoint_begin(s, strategy);
        return e;
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
                e = explore(&s, strategy, progress, arg);
        if (e == SESSION_OK &&
            leaks_settle(r, config->leaks == LEAKS_ALL)) /* several explorers: what one has lost another has not */
                e = SESSION_FAIL;
        if (e == SESSION_OK && r->n_findings)
                minimize(&s, progress, arg);
        if (e == SESSION_OK)
                races_mark(&s);
        if (e == SESSION_INTR)
                incomplete(&r->stats, "interrupted");
        session_labels(&s);
        for (uint32_t i = 0; i < r->n_findings; i++) /* the search stopped before an execution that counts showed it */
                r->findings[i].count += !r->findings[i].count;
        if (r->n_findings && !config->keep_going)
                incomplete(&r->stats, "stopped at the first failure");
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
        for (uint32_t i = 0; i < r->n_races; i++)
                free(r->races[i].schedule);
        free(r->races);
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
        for (uint32_t i = 0; i < r->n_left_out; i++)
                free(r->left_out[i]);
        free(r->left_out);
        memset(r, 0, sizeof *r);
}
