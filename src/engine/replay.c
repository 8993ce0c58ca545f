/*
 * Replay: one schedule, run until what it shares is known and judged, then once more with the program's output shown.
 *
 * The program is started afresh for the last run, so that what it prints before its first thread appears too.  That run
 * decides nothing: to a terminal a program may do something else than in the check.
 *
 * A failure that was found must be found again.  If it is not, the program depends on something that is not in a schedule, or
 * heddle is wrong: that is an error, unless the schedule is from another build of the program.
 */
#include "engine/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "op/op.h"
#include "target/debug.h"

#define ROUNDS 1000 /* each finds more shared memory */

int replay_load(struct run *r, const struct schedule_text *text)
{
        struct wire_down *d = r->program->target.down;

        if (text->n_segments > WIRE_MAX_SEGMENTS || text->n_choices > WIRE_MAX_SEGMENTS)
                return error_set(r->program->why, ERROR_USAGE, "the schedule is too long");
        for (uint32_t i = 0; i < text->n_segments && r->program->config->memory == WIRE_MEMORY_SC; i++)
                if (text->segments[i].actor & WIRE_FLUSH)
                        return error_set(r->program->why, ERROR_USAGE,
                                         "the schedule is of a weak memory model; name it with --memory tso or pso");
        memcpy(d->segments, text->segments, text->n_segments * sizeof *d->segments);
        if (text->n_choices)
                memcpy(d->choices, text->choices, text->n_choices * sizeof *d->choices);
        for (; d->n_names < text->n_names; d->n_names++)
                d->names[d->n_names] = text->names[d->n_names];
        d->n_segments = text->n_segments;
        d->n_choices = text->n_choices;
        r->schedule.flags = WIRE_SEGMENTS | WIRE_KEEP_GOING;
        return RUN_OK;
}

/* Runs until nothing new is found to be shared. */
static int settle(struct session *s, uint32_t flags)
{
        int e = RUN_GREW;

        for (int i = 0; i < ROUNDS && e == RUN_GREW; i++)
                e = run_schedule(&s->run, flags, 0);
        if (e == RUN_GREW)
                return error_set(s->why, ERROR_FAIL,
                                 "more memory was found to be shared in each of %d runs of the schedule", ROUNDS);
        if (e == RUN_INTR)
                return error_set(s->why, ERROR_FAIL, "interrupted");
        return e;
}

static int cannot_follow(struct session *s, uint32_t step)
{
        return error_set(s->why, ERROR_USAGE, "the schedule cannot be followed at step %u: %s", step,
                         s->run.trace.text);
}

/* Does the schedule say that this very build fails by it?  Text that has no check digits may be written by hand. */
static bool must_fail(const struct session *s, const struct replay *what)
{
        return what->text && what->text->head.checked && what->text->head.fails && !s->result->other_build;
}

static int text_cannot_follow(struct session *s, const struct replay *what)
{
        uint32_t step = s->run.trace.step + 1;

        if (s->result->other_build)
                return error_set(
                        s->why, ERROR_USAGE,
                        "the schedule does not fit: it belongs to another program or to another build of it (%06x, "
                        "this "
                        "is %06x), and cannot be followed at step %u: %s; check this one for a schedule of its own",
                        what->text->head.fingerprint, s->program.fingerprint, step, s->run.trace.text);
        if (!must_fail(s, what))
                return cannot_follow(s, step);
        return error_set(
                s->why, ERROR_FAIL,
                "the failure was not reproduced: the same build does not follow its schedule at step %u: %s. Give the "
                "arguments, options and environment that it was found with; if they are the same, heddle %s is wrong",
                step, s->run.trace.text, HEDDLE_VERSION);
}

/* Is what was found there again? */
static int reproduced(struct session *s, const struct replay *what)
{
        const struct result *r = s->result;
        bool shown = false;

        for (uint32_t i = 0; i < r->n_findings; i++)
                shown |= what->kind == FINDING_KINDS || r->findings[i].kind == what->kind;
        if (shown || !must_fail(s, what))
                return RUN_OK;
        return error_set(
                s->why, ERROR_FAIL,
                "the failure was not reproduced: the same build followed its schedule to the end, and there was no "
                "%s. Give "
                "the arguments, options and environment that it was found with; if they are the same, heddle %s is "
                "wrong",
                what->kind == FINDING_KINDS ? "failure" : finding_kind_name(what->kind), HEDDLE_VERSION);
}

/* Steps without a choice: a thread is created, the later parts of an operation, what reaches memory by itself. */
static bool is_forced(const struct trace *t, const struct wire_event *e)
{
        return !(e->flags & WIRE_EV_SCHED) || (e->flags & WIRE_EV_FORCED) || trace_is_buffer(t, e->actor);
}

/* How much of the list the trace follows.  Its decisions up to there, and the next of the list, are the new prefix; true: there is
 * none, all is followed. */
static bool follow(struct session *s, const struct replay *what, uint32_t *at)
{
        const struct trace *t = &s->run.trace;
        uint32_t n = 0;

        *at = 0;
        for (uint32_t i = 0; i < t->n_events && *at < what->n_threads; i++) {
                const struct wire_event *e = &t->events[i];
                bool named = trace_owner(t, e->actor) == what->threads[*at];
                bool wrong = !named && !is_forced(t, e);
                uint32_t actor = wrong ? what->threads[*at] : e->actor;

                if (e->flags & WIRE_EV_SCHED)
                        s->run.schedule.prefix[n++] =
                                (struct wire_decision){.actor = (uint16_t)actor, .choice = WIRE_NO_CHOICE};
                s->run.schedule.n_prefix = n;
                if (wrong)
                        return false;
                *at += named && !op_has(e->op, OPF_PART);
        }
        if (*at == what->n_threads || t->end == WIRE_END_FAILED)
                return true;
        s->run.schedule.prefix[n] = (struct wire_decision){.actor = what->threads[*at], .choice = WIRE_NO_CHOICE};
        s->run.schedule.n_prefix = n + 1;
        return false;
}

/* A list names the thread of each step, as --steps shows them; those without a choice may be missing.  Where a run departs
 * from the list, its way up to there and the list's next thread are run. */
static int load_threads(struct session *s, const struct replay *what)
{
        uint32_t at = 0;
        int e;

        if (what->n_threads > WIRE_MAX_EVENTS / 2)
                return error_set(s->why, ERROR_USAGE, "the list of threads is too long");
        s->run.schedule.n_prefix = 0;
        s->run.schedule.flags |= WIRE_BY_HAND;
        do {
                e = run_schedule(&s->run, WIRE_DETAIL, 0);
                if (e == RUN_GREW)
                        s->run.schedule.n_prefix = 0; /* there are more steps now */
                else if (e != RUN_OK)
                        return e;
                else if (s->run.trace.end == WIRE_END_DIVERGED)
                        return cannot_follow(s, at + 1);
        } while (e == RUN_GREW || !follow(s, what, &at));
        return RUN_OK;
}

void replay_show(struct run *r)
{
        struct target *t = &r->program->target;
        int e;

        target_stop(t);
        t->spawn.out_fd = STDOUT_FILENO;
        t->spawn.err_fd = STDERR_FILENO;
        fflush(stdout);
        e = run_schedule(r, WIRE_DETAIL, 0);
        if (t->spawn.aslr) /* that was only the start */
                e = run_schedule(r, WIRE_DETAIL, 0);
        (void)e; /* what the run is like does not matter any more */
        target_stop(t);
}

/* The trace is there: what does it show? */
static int judge_settled(struct session *s)
{
        struct stats *st = &s->result->stats;
        const struct trace *t = &s->run.trace;

        st->executions = 1;
        st->events = t->n_events;
        st->transitions = t->n_transitions;
        st->threads = trace_threads(t);
        s->result->replayed = trace_copy(t);
        return judge_replayed(&s->judge);
}

static int debug(struct run *r, struct debugger *d)
{
        run_write(r, WIRE_DETAIL);
        return debug_launch(&r->program->target, &r->trace, d, r->program->why);
}

int replay_run(struct session *s, const struct replay *what, bool *judged)
{
        int e;

        *judged = false;
        s->result->other_build = what->text && what->text->head.fingerprint != s->program.fingerprint;
        e = what->text ? replay_load(&s->run, what->text) : load_threads(s, what);
        if (e == RUN_OK)
                e = settle(s, WIRE_DETAIL);
        if (e == RUN_OK && s->run.trace.end == WIRE_END_DIVERGED)
                return what->text ? text_cannot_follow(s, what) : cannot_follow(s, s->run.trace.step + 1);
        if (e == RUN_OK && what->debugger)
                return debug(&s->run, what->debugger);
        if (e == RUN_DIED) {
                s->result->stats.executions = 1;
                return judge_died(&s->judge);
        }
        if (e == RUN_OK)
                e = judge_settled(s);
        if (e == RUN_OK)
                e = reproduced(s, what);
        *judged = e == RUN_OK;
        return e;
}
