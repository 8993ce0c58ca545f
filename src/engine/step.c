/*
 * One step of the main loop: an execution is run, counted, learnt from and judged.
 */
#include "engine/loop.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/log.h"
#include "engine/confirm.h"
#include "engine/fairness.h"
#include "program/preemption_points.h"

#define SAVE_GRACE 10.0 /* seconds */

/* One more execution for the figures.  redundant: it was not cut, but what it shows has been seen. */
static void count(struct session *s, bool redundant)
{
        struct stats *st = &s->result->stats;
        const struct trace *t = &s->run.trace;

        if (s->program.target.up->reasons.set) /* asked after every run: a restarted target forgets it */
                stats_reasons(st, &s->program.target.up->reasons);
        if (s->program.unwatched.set)
                stats_reasons(st, &s->program.unwatched);
        if (t->end == WIRE_END_UNSEEN)
                stats_incomplete(st, REASON_UNSEEN_LOOP, NULL);
        if (t->end == WIRE_END_TOGGLES)
                stats_incomplete(st, REASON_TOGGLES, NULL);
        if (s->judge.probe) {
                st->probes++;
                return;
        }
        st->blocked += s->run.speculations;
        s->run.speculations = 0;
        st->timed_out += s->program.target.up->timeouts != 0;
        st->events += t->n_events;
        st->transitions += t->n_transitions;
        uint32_t threads = trace_threads(t);
        st->threads = threads > st->threads ? threads : st->threads;
        switch (redundant ? (uint32_t)WIRE_END_SLEEP : t->end) {
        case WIRE_END_SLEEP:
                st->blocked++;
                if (t->n_transitions > s->run.schedule.n_prefix)
                        st->blocked_events += t->n_transitions - s->run.schedule.n_prefix;
                break;
        case WIRE_END_ASSUME: *(s->program.target.up->txn.blocked ? &st->blocked : &st->cut_assume) += 1; break;
        case WIRE_END_UNSEEN:
        case WIRE_END_CUT:
        case WIRE_END_TOGGLES:
        case WIRE_END_CYCLE: st->cut_spin++; break;
        case WIRE_END_DEPTH:
                st->cut_depth++;
                if (s->program.target.up->txn.full)
                        stats_incomplete(st, REASON_TXN_FULL, NULL);
                else
                        stats_incomplete(st, s->config->depth ? REASON_DEPTH : REASON_EVENTS, NULL);
                break;
        case WIRE_END_BUDGET:
                st->cut_depth++;
                if (s->config->thread_depth) /* else the target has said why */
                        stats_incomplete(st, REASON_THREAD_DEPTH, NULL);
                break;
        default: st->executions++;
        }
}

/* Reproduce: how far the threads have followed their paths, in the best execution or the one that failed. */
static void keep_followed(struct session *s)
{
        const struct trace *t = &s->run.trace;
        struct result *r = s->result;
        bool failed = t->n_failures > 0 || t->end == WIRE_END_STUCK;

        if (r->followed_failed || (!failed && t->followed <= r->followed_most))
                return;
        r->followed_most = t->followed;
        r->followed_failed = failed;
        memcpy(r->followed, s->program.target.up->followed, sizeof r->followed);
}

/* What later executions are to know of this one: only now, since it may have run once more. */
static void keep_left(struct session *s)
{
        uint64_t at = s->program.target.up->left_path;

        if (at)
                s->program.target.down->paths.left[at % WIRE_PATHS_LEFT] = at;
}

/* --count-classes.  false: out of memory. */
static bool classify(struct session *s)
{
        bool ends = s->run.trace.end != WIRE_END_SLEEP && s->run.trace.end != WIRE_END_DEPTH &&
                    s->run.trace.end != WIRE_END_BUDGET && s->run.trace.end != WIRE_END_CYCLE &&
                    s->run.trace.end != WIRE_END_UNSEEN && s->run.trace.end != WIRE_END_CUT &&
                    s->run.trace.end != WIRE_END_TOGGLES && !s->program.target.up->txn.blocked;
        int fresh = s->config->count_classes && ends && !s->judge.probe
                            ? classes_add(&s->progress.classes, &s->run.trace)
                            : 0;

        s->result->stats.classes += fresh > 0;
        return fresh >= 0 || late_reported();
}

static int not_learnt(struct session *s, int error)
{
        if (error == -ENOMEM)
                return error_memory(s->why);
        return error_set(s->why, ERROR_FAIL, "the trace of execution %llu is malformed",
                         (unsigned long long)s->result->stats.executions);
}

/* Races may make more points; the strategy's own affair, if it chooses points. */
static int deepen(struct session *s, struct strategy *strategy)
{
        const struct trace *t = &s->run.trace;
        const struct result *r = s->result;
        const struct points_ops *points = strategy->ops->points;
        int e = RUN_OK;

        if (points && (e = points->raced(strategy, r->races, r->n_races)) != 0)
                return e == -E2BIG ? points_too_many(&s->program) : not_learnt(s, e);
        if (r->n_findings && !s->config->keep_going)
                return LOOP_ENDED;
        if (points) {
                strategy->now = clock_now();
                points->judged(strategy, (t->n_failures > 0 || t->end == WIRE_END_STUCK) &&
                                                 (s->judge.failed || !s->config->ignored));
        } else {
                e = points_learn(&s->program, r->races, r->n_races, &s->judge.n_raced);
        }
        return e == RUN_GREW ? LOOP_GREW : e < 0 ? e : LOOP_MORE;
}

/* When --time ends, 0: never. */
static double time_limit(const struct session *s)
{
        return s->config->seconds > 0 ? s->progress.started + s->config->seconds : 0;
}

/* The next execution. */
static int run(struct session *s, const struct strategy *strategy)
{
        int e;

        s->judge.probe = strategy->probing;
        s->judge.uncounted = strategy->probing && (strategy->counts_values || s->matching.kept);
        if (s->matching.changed)
                s->run.schedule.known = 0;
        s->matching.changed = false;
        if (s->config->depth) /* the actors that could have continued, where an execution is cut */
                s->run.schedule.flags |= WIRE_WANT_ENABLED;
        late_after(time_limit(s), true);
        s->run.asks = strategy;
        e = run_schedule(&s->run, 0, s->run.schedule.known);
        s->run.asks = NULL;
        s->run.trace.repeats = s->run.schedule.known;
        s->run.trace.repeats_of = s->run.schedule.known_of;
        if (e == RUN_OK && s->result->stats.transitions == 0 && s->run.trace.n_failures == 0 &&
            s->run.trace.n_transitions > 1)
                e = confirm_first(&s->run);
        else if (e == RUN_OK && s->run.trace.end == WIRE_END_DIVERGED)
                e = confirm_diverged(&s->run);
        return e;
}

/* Something was left before it was done. */
static void left(struct session *s)
{
        stats_incomplete(&s->result->stats, loop_interrupted ? REASON_INTERRUPTED : REASON_TIME, NULL);
        s->progress.in_part = true;
}

/* How long an execution may be analysed.  One that is known in part ends the exploration, and cannot be stored: with --save
 * there is more time. */
static void set_limit(const struct session *s, double grace)
{
        bool save = s->config->save != NULL;
        double limit = save && s->config->jobs > 1 ? 0 : time_limit(s);

        late_after(limit > 0 ? limit + (save ? SAVE_GRACE : grace) : 0, !save);
}

/* *in_part: the rest would have taken too long. */
static int learn(struct session *s, struct strategy *strategy, bool *in_part)
{
        int e;

        set_limit(s, 0);
        e = strategy->ops->learn(strategy, &s->run.trace);
        *in_part = late_reported();
        set_limit(s, LATE_ANALYSIS);
        if (*in_part)
                left(s);
        return *in_part ? 0 : e;
}

/* Does the execution show that states must be compared?  That is not possible everywhere. */
static bool leads_back(const struct session *s)
{
        uint32_t end = s->run.trace.end, cycles = s->program.target.down->cycles;

        return (end == WIRE_END_CYCLE && cycles != WIRE_CYCLES_ALL) ||
               (end == WIRE_END_TOGGLES && cycles == WIRE_CYCLES_SOME);
}

/* After --resume: does the program read what was not stored? */
static int environment_known(const struct session *s)
{
        const char *variable = spawn_env_unknown(&s->program.target.spawn, s->program.target.up->env_read);

        if (!variable)
                return RUN_OK;
        return error_set(s->why, ERROR_USAGE,
                         "--resume: the program reads the variable %.*s, whose value is another than when %.300s was "
                         "written; set it as it was",
                         (int)strcspn(variable, "="), variable, s->config->resume);
}

int loop_step(struct session *s, struct strategy *strategy)
{
        struct stats *st = &s->result->stats;
        bool in_part = false; /* learnt */
        int e = run(s, strategy);

        if (e == RUN_INTR)
                return LOOP_AGAIN;
        if (e == RUN_DIED) {
                s->result->stats.executions++;
                stats_incomplete(&s->result->stats, REASON_DIED, NULL);
                e = judge_died(&s->judge);
                return e == RUN_OK ? LOOP_ENDED : e;
        }
        if (e == RUN_OK)
                e = environment_known(s);
        if (e == RUN_OK && leads_back(s)) {
                log_note("executions return to earlier states: switching to a search over states");
                s->program.target.down->cycles = WIRE_CYCLES_ALL;
                return LOOP_GREW;
        }
        if (e == RUN_OK && fairness_needed(s))
                return LOOP_GREW;
        if (e == RUN_OK) {
                int learnt = learn(s, strategy, &in_part);
                if (strategy->unmodelled || learnt == -EAGAIN)
                        return LOOP_GREW;
                bool redundant = learnt > 0 && s->run.trace.end != WIRE_END_DIVERGED;
                count(s, redundant);
                if (s->config->paths)
                        keep_followed(s);
                if (!strategy->probing && !progress_grow(&s->progress, strategy, st))
                        learnt = learnt < 0 ? learnt : -ENOMEM;
                if (!fairness_look(s))
                        learnt = learnt < 0 ? learnt : -ENOMEM;
                if (!redundant && !classify(s))
                        learnt = -ENOMEM;
                if (learnt < 0 && s->run.trace.end != WIRE_END_DIVERGED)
                        return not_learnt(s, learnt);
                if (!redundant && s->config->capture && st->executions == s->config->capture) {
                        s->result->captured =
                                program_text(&s->program, &s->run.trace, s->run.trace.n_events, WIRE_NO_ACTOR, false);
                        return 0;
                }
                e = redundant ? RUN_OK : judge_execution(&s->judge);
                if (s->config->paths)
                        keep_left(s);
                if (late_reported())
                        left(s);
                in_part |= late_reported();
        }
        if (e == RUN_GREW)
                return LOOP_GREW;
        if (e == RUN_INTR)
                return LOOP_MORE; /* the limit that this is stops the loop */
        if (e != RUN_OK)
                return e;
        strategy->found = s->result->n_findings > 0;
        if (s->run.trace.end == WIRE_END_DIVERGED) {
                stats_incomplete(&s->result->stats, REASON_NONDETERMINISM, NULL);
                return LOOP_ENDED;
        }
        return in_part || s->judge.stopped ? LOOP_ENDED : deepen(s, strategy);
}
