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

#include "base/clock.h"
#include "target/debug.h"
#include "verdict/verdict.h"
#include "engine/loop.h"
#include "minimize/minimize.h"
#include "verdict/race_table.h"
#include "engine/session.h"
#include "op/op.h"

#define ROUNDS 1000 /* each finds more shared memory */

int replay_load(struct session *s, const struct schedule_text *text)
{
        struct wire_down *d = s->target.down;

        s->result->other_build = text->head.fingerprint != s->fingerprint;
        if (text->n_segments > WIRE_MAX_SEGMENTS || text->n_choices > WIRE_MAX_SEGMENTS) {
                snprintf(s->why, 512, "the schedule is too long");
                return SESSION_USAGE;
        }
        for (uint32_t i = 0; i < text->n_segments && s->config->memory == WIRE_MEMORY_SC; i++)
                if (text->segments[i].actor & WIRE_FLUSH) {
                        snprintf(s->why, 512,
                                 "the schedule is of a weak memory model; name it with --memory tso or pso");
                        return SESSION_USAGE;
                }
        memcpy(d->segments, text->segments, text->n_segments * sizeof *d->segments);
        if (text->n_choices)
                memcpy(d->choices, text->choices, text->n_choices * sizeof *d->choices);
        d->n_segments = text->n_segments;
        d->n_choices = text->n_choices;
        s->schedule.flags = WIRE_SEGMENTS | WIRE_KEEP_GOING;
        return SESSION_OK;
}

/* Runs until nothing new is found to be shared. */
static int settle(struct session *s, uint32_t flags)
{
        int e = SESSION_GREW;

        for (int i = 0; i < ROUNDS && e == SESSION_GREW; i++)
                e = session_run(s, flags, 0);
        if (e == SESSION_GREW) {
                snprintf(s->why, 512, "more memory was found to be shared in each of %d runs of the schedule", ROUNDS);
                return SESSION_FAIL;
        }
        if (e == SESSION_INTR) {
                snprintf(s->why, 512, "interrupted");
                return SESSION_FAIL;
        }
        return e;
}

static int cannot_follow(struct session *s, uint32_t step)
{
        snprintf(s->why, 512, "the schedule cannot be followed at step %u: %s", step, s->trace.text);
        return SESSION_USAGE;
}

/* Does the schedule say that this very build fails by it?  Text that has no check digits may be written by hand. */
static bool must_fail(const struct session *s, const struct replay *what)
{
        return what->text && what->text->head.checked && what->text->head.fails && !s->result->other_build;
}

static int text_cannot_follow(struct session *s, const struct replay *what)
{
        uint32_t step = s->trace.step + 1;

        if (s->result->other_build) {
                snprintf(s->why, 512,
                         "the schedule does not fit: it belongs to another program or to another build of it (%06x, "
                         "this "
                         "is %06x), and cannot be followed at step %u: %s; check this one for a schedule of its own",
                         what->text->head.fingerprint, s->fingerprint, step, s->trace.text);
                return SESSION_USAGE;
        }
        if (!must_fail(s, what))
                return cannot_follow(s, step);
        snprintf(s->why, 512,
                 "the failure was not reproduced: the same build does not follow its schedule at step %u: %s. Give the "
                 "arguments, options and environment that it was found with; if they are the same, heddle %s is wrong",
                 step, s->trace.text, HEDDLE_VERSION);
        return SESSION_FAIL;
}

/* Is what was found there again? */
static int reproduced(struct session *s, const struct replay *what)
{
        const struct result *r = s->result;
        bool shown = false;

        for (uint32_t i = 0; i < r->n_findings; i++)
                shown |= !what->kind || strcmp(finding_kind_name(r->findings[i].kind), what->kind) == 0;
        if (shown || !must_fail(s, what))
                return SESSION_OK;
        snprintf(s->why, 512,
                 "the failure was not reproduced: the same build followed its schedule to the end, and there was no "
                 "%s. Give "
                 "the arguments, options and environment that it was found with; if they are the same, heddle %s is "
                 "wrong",
                 what->kind ? what->kind : "failure", HEDDLE_VERSION);
        return SESSION_FAIL;
}

/* Steps that nobody chooses: a thread is created, the later parts of an operation, what reaches memory by itself. */
static bool is_forced(const struct trace *t, const struct wire_event *e)
{
        return !(e->flags & WIRE_EV_SCHED) || (e->flags & WIRE_EV_FORCED) || trace_is_buffer(t, e->actor);
}

/* How much of the list the trace follows.  Its decisions up to there, and the next of the list, are the new prefix; true: there is
 * none, all is followed. */
static bool follow(struct session *s, const struct replay *what, uint32_t *at)
{
        const struct trace *t = &s->trace;
        uint32_t n = 0;

        *at = 0;
        for (uint32_t i = 0; i < t->n_events && *at < what->n_threads; i++) {
                const struct wire_event *e = &t->events[i];
                bool named = trace_owner(t, e->actor) == what->threads[*at];
                bool wrong = !named && !is_forced(t, e);
                uint32_t actor = wrong ? what->threads[*at] : e->actor;

                if (e->flags & WIRE_EV_SCHED)
                        s->schedule.prefix[n++] =
                                (struct wire_decision){.actor = (uint16_t)actor, .choice = WIRE_NO_CHOICE};
                s->schedule.n_prefix = n;
                if (wrong)
                        return false;
                *at += named && !op_has(e->op, OPF_PART);
        }
        if (*at == what->n_threads || t->end == WIRE_END_FAILED)
                return true;
        s->schedule.prefix[n] = (struct wire_decision){.actor = what->threads[*at], .choice = WIRE_NO_CHOICE};
        s->schedule.n_prefix = n + 1;
        return false;
}

/* A list names the thread of each step, as --steps shows them; those that nobody chooses may be left out.  Where a run departs
 * from the list, its way up to there and the list's next thread are run. */
static int load_threads(struct session *s, const struct replay *what)
{
        uint32_t at = 0;
        int e;

        if (what->n_threads > WIRE_MAX_EVENTS / 2) {
                snprintf(s->why, 512, "the list of threads is too long");
                return SESSION_USAGE;
        }
        s->schedule.n_prefix = 0;
        s->schedule.flags |= WIRE_BY_HAND;
        do {
                e = session_run(s, WIRE_DETAIL, 0);
                if (e == SESSION_GREW)
                        s->schedule.n_prefix = 0; /* there are more steps now */
                else if (e != SESSION_OK)
                        return e;
                else if (s->trace.end == WIRE_END_DIVERGED)
                        return cannot_follow(s, at + 1);
        } while (e == SESSION_GREW || !follow(s, what, &at));
        return SESSION_OK;
}

/* Output for the user; what the run is like does not matter any more. */
static void show(struct session *s)
{
        target_stop(&s->target);
        s->target.out_fd = STDOUT_FILENO;
        s->target.err_fd = STDERR_FILENO;
        fflush(stdout);
        session_run(s, WIRE_DETAIL, 0);
        if (s->target.aslr) /* that was only the start */
                session_run(s, WIRE_DETAIL, 0);
        target_stop(&s->target);
}

/* The trace is there: what does it show? */
static int judge_settled(struct session *s)
{
        struct stats *st = &s->result->stats;
        int e;

        st->executions = 1;
        st->events = s->trace.n_events;
        st->transitions = s->trace.n_transitions;
        st->threads = trace_threads(&s->trace);
        s->result->replayed = trace_copy(&s->trace);
        e = judge_outcome(s);
        return e == SESSION_OK ? judge_replayed(s) : e;
}

static int replay(struct session *s, const struct replay *what)
{
        int e = what->text ? replay_load(s, what->text) : load_threads(s, what);

        if (e == SESSION_OK)
                e = settle(s, WIRE_DETAIL);
        if (e == SESSION_OK && s->trace.end == WIRE_END_DIVERGED)
                return what->text ? text_cannot_follow(s, what) : cannot_follow(s, s->trace.step + 1);
        if (e == SESSION_OK && what->debugger)
                return debug_launch(s, what->debugger);
        if (e == SESSION_DIED) {
                s->result->stats.executions = 1;
                return judge_died(s);
        }
        if (e == SESSION_OK)
                e = judge_settled(s);
        if (e == SESSION_OK)
                e = reproduced(s, what);
        if (e == SESSION_OK && !what->minimize)
                show(s);
        if (e == SESSION_OK && what->minimize)
                minimize_all(s, what->minimize);
        if (e == SESSION_OK)
                races_mark(s);
        return e;
}

int loop_replay(const struct config *config, const struct replay *what, struct result *r, char why[512])
{
        struct session s;
        int e;

        memset(r, 0, sizeof *r);
        loop_incomplete(&r->stats, REASON_REPLAYED, NULL);
        e = session_init(&s, config, r, why);
        if (e == SESSION_OK)
                e = replay(&s, what);
        session_labels(&s);
        r->stats.seconds = clock_now() - s.started;
        session_fini(&s);
        return e < 0 ? e : LOOP_OK;
}
