/*
 * One step of the main loop: an execution is run, counted, learnt from and judged.
 */
#include "engine/loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/confirm.h"
#include "verdict/busy_waits.h"
#include "verdict/verdict.h"
#include "base/deadline.h"
#include "verdict/outcome.h"
#include "program/preemption_points.h"
#include "verdict/race_table.h"
#include "engine/session.h"
#include "strategy/strategy.h"
#include "op/op.h"

#define SAVE_GRACE 10.0 /* seconds */

/* One more execution for the figures.  redundant: it was not cut short, but what it shows has been seen. */
static void count(struct session *s, bool redundant)
{
        struct stats *st = &s->result->stats;
        const struct trace *t = &s->trace;

        if (s->target.up->reasons.set) /* asked after every run: a restarted target forgets it */
                loop_reasons(st, &s->target.up->reasons);
        if (s->unwatched.set)
                loop_reasons(st, &s->unwatched);
        if (t->end == WIRE_END_UNSEEN)
                loop_incomplete(st, REASON_UNSEEN_LOOP, NULL);
        if (s->looking) {
                st->looked++;
                return;
        }
        st->timed_out += s->target.up->timeouts != 0;
        st->events += t->n_events;
        st->transitions += t->n_transitions;
        uint32_t threads = trace_threads(t);
        st->threads = threads > st->threads ? threads : st->threads;
        switch (redundant ? (uint32_t)WIRE_END_SLEEP : t->end) {
        case WIRE_END_SLEEP:
                st->blocked++;
                if (t->n_transitions > s->schedule.n_prefix)
                        st->blocked_events += t->n_transitions - s->schedule.n_prefix;
                break;
        case WIRE_END_ASSUME: st->cut_assume++; break;
        case WIRE_END_UNSEEN:
        case WIRE_END_CYCLE: st->cut_spin++; break;
        case WIRE_END_DEPTH:
                st->cut_depth++;
                loop_incomplete(st, s->config->depth ? REASON_DEPTH : REASON_EVENTS, NULL);
                break;
        case WIRE_END_BUDGET:
                st->cut_depth++;
                if (s->config->thread_depth) /* else the target has said why */
                        loop_incomplete(st, REASON_THREAD_DEPTH, NULL);
                break;
        default: st->executions++;
        }
}

/* --count-classes.  false: out of memory. */
static bool classify(struct session *s)
{
        bool ends = s->trace.end != WIRE_END_SLEEP && s->trace.end != WIRE_END_DEPTH &&
                    s->trace.end != WIRE_END_BUDGET && s->trace.end != WIRE_END_CYCLE &&
                    s->trace.end != WIRE_END_UNSEEN;
        int fresh = s->config->count_classes && ends && !s->looking ? classes_add(&s->classes, &s->trace) : 0;

        s->result->stats.classes += fresh > 0;
        return fresh >= 0 || late_told();
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
                snprintf(s->why, 512, "the trace of execution %llu is malformed",
                         (unsigned long long)s->result->stats.executions);
        return SESSION_FAIL;
}

/* The strategy's tree has one more path; false: out of memory. */
static bool grown(struct session *s, const struct strategy *strategy)
{
        uint32_t branch, depth = strategy_path(strategy, &branch);

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
        const struct points_ops *points = strategy->ops->points;
        int e = SESSION_OK;

        if (points && (e = points->raced(strategy, r->races, r->n_races)) != 0)
                return e == -E2BIG ? points_too_many(s) : not_learnt(s, e);
        if (r->n_findings && !s->config->keep_going)
                return LOOP_ENDED;
        if (points) {
                strategy->now = clock_now();
                points->judged(strategy,
                               (t->n_failures > 0 || t->end == WIRE_END_STUCK) && (s->failed || !s->config->ignored));
        } else {
                e = points_learn(s);
        }
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
        e = session_run(s, 0, s->schedule.known);
        if (e == SESSION_OK && s->result->stats.transitions == 0 && s->trace.n_failures == 0 &&
            s->trace.n_transitions > 1)
                e = confirm_first(s);
        else if (e == SESSION_OK && s->trace.end == WIRE_END_DIVERGED)
                e = confirm_diverged(s);
        return e;
}

/* Something was left before it was done. */
static void left(struct session *s)
{
        loop_incomplete(&s->result->stats, loop_interrupted ? REASON_INTERRUPTED : REASON_TIME, NULL);
        s->in_part = true;
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
        e = strategy->ops->learn(strategy, &s->trace);
        *in_part = late_told();
        set_limit(s, LATE_ANALYSIS);
        if (*in_part)
                left(s);
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
                loop_incomplete(&s->result->stats, REASON_DIED, NULL);
                e = judge_died(s);
                return e == SESSION_OK ? LOOP_ENDED : e;
        }
        if (e == SESSION_OK && s->trace.end == WIRE_END_CYCLE && s->target.down->cycles != WIRE_CYCLES_ALL) {
                log_note("executions return to earlier states: switching to a search over states");
                s->target.down->cycles = WIRE_CYCLES_ALL;
                return LOOP_GREW;
        }
        if (e == SESSION_OK) {
                int learnt = learn(s, strategy, &in_part);
                bool redundant = learnt > 0 && s->trace.end != WIRE_END_DIVERGED;
                count(s, redundant);
                if (!strategy->looking && !grown(s, strategy))
                        learnt = learnt < 0 ? learnt : -ENOMEM;
                if (!redundant && !classify(s))
                        learnt = -ENOMEM;
                if (learnt < 0 && s->trace.end != WIRE_END_DIVERGED)
                        return not_learnt(s, learnt);
                if (!redundant && s->config->capture && st->executions == s->config->capture) {
                        s->result->captured = session_text(s, &s->trace, s->trace.n_events, WIRE_NO_ACTOR, false);
                        return 0;
                }
                e = redundant ? SESSION_OK : judge(s);
                if (late_told())
                        left(s);
                in_part |= late_told();
        }
        if (e == SESSION_GREW)
                return LOOP_GREW;
        if (e == SESSION_INTR)
                return LOOP_MORE; /* the limit that this is stops the loop */
        if (e != SESSION_OK)
                return e;
        strategy->found = s->result->n_findings > 0;
        if (s->trace.end == WIRE_END_DIVERGED) {
                loop_incomplete(&s->result->stats, REASON_NONDETERMINISM, NULL);
                return LOOP_ENDED;
        }
        return in_part || s->stopped ? LOOP_ENDED : deepen(s, strategy);
}
