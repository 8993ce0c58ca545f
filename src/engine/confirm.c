/*
 * Before a program is called nondeterministic: is it, or is heddle wrong?
 *
 * Two runs differ by heddle's fault in two ways.
 *
 * A decision was never run before: the strategy asks for a thread that cannot be next.  Then the program does the same again
 * and again, in this process and in fresh ones, and the schedule fails at the same step each time.
 *
 * Or the first execution is not the same when it is run again, because a thread was taken to wait in a loop in one of the two
 * runs only (spin.c of the runtime).  Then both can be followed, decision by decision: a schedule overrules the spin detector.
 *
 * What happens to a program by chance does not survive so many runs.  In doubt the difference is the program's.
 */
#include "engine/confirm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "op/op.h"

#define RUNS  16 /* in the same process, ... */
#define FRESH 3  /* ... and in processes of their own */

/* The first transition in which two traces differ, or UINT32_MAX. */
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

static int no_memory(struct session *s)
{
        snprintf(s->why, 512, "out of memory");
        return SESSION_FAIL;
}

/* Calls holds() after each of many runs of the schedule at hand; *always: it said yes each time. */
static int run_often(struct session *s, bool (*holds)(const struct session *s, const struct trace *t),
                     const struct trace *t, bool *always)
{
        int fresh = s->target.aslr ? 0 : FRESH, e = SESSION_OK;

        *always = true;
        for (int i = 0; i < RUNS + fresh && *always && e == SESSION_OK; i++) {
                if (i >= RUNS)
                        target_stop(&s->target);
                e = session_run(s, 0, 0);
                *always = e == SESSION_OK && holds(s, t);
        }
        return e;
}

/* One line for the user: what we did wrong, and all that is needed to see it again. */
static int ours(struct session *s, const struct trace *t, uint32_t step, const char *what)
{
        char *text = session_text(s, t, t->n_events, WIRE_NO_ACTOR, false);

        snprintf(s->why, 512,
                 "this is an error of heddle %s, not of the program: %s, at step %u; please report it, with %.*s%s",
                 HEDDLE_VERSION, what, step, 280, text ? text : "the program",
                 text && strlen(text) > 280 ? "... (all of it with --verbose)" : "");
        if (text && strlen(text) > 280)
                log_note("the schedule up to there: %s", text);
        free(text);
        return SESSION_FAIL;
}

static bool diverges_alike(const struct session *s, const struct trace *t)
{
        return s->trace.step == t->step && strcmp(s->trace.text, t->text) == 0 &&
               first_difference(t, &s->trace) == UINT32_MAX;
}

int confirm_diverged(struct session *s)
{
        uint32_t step = s->trace.step;
        const struct wire_decision *d = &s->schedule.prefix[step];
        bool always, ran = step >= s->schedule.n_prefix || d->op; /* there was an execution that went on like this */
        char what[WIRE_TEXT + 96];
        int e;

        if (ran)
                return SESSION_OK;
        free(s->diverged);
        s->diverged = trace_copy(&s->trace);
        if (!s->diverged)
                return no_memory(s);
        e = run_often(s, diverges_alike, s->diverged, &always);
        s->trace = *s->diverged;
        if (e != SESSION_OK || !always)
                return e == SESSION_DIED || e == SESSION_GREW ? SESSION_OK : e;
        snprintf(what, sizeof what, "it requested a step of thread %u that is not possible (%s)", d->actor,
                 s->trace.text);
        return ours(s, s->diverged, step, what);
}

static bool is_followed(const struct session *s, const struct trace *t)
{
        (void)t;
        return s->trace.end != WIRE_END_DIVERGED && s->trace.n_transitions >= s->schedule.n_prefix;
}

/* Can all decisions of an execution be followed, whatever the spin detector says? */
static int follow(struct session *s, const struct trace *t, bool *always)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];

                if (e->flags & WIRE_EV_SCHED)
                        s->schedule.prefix[n++] = (struct wire_decision){
                                .actor = e->actor, .op = e->op, .choice = e->choice, .obj = e->obj};
        }
        s->schedule.n_prefix = n;
        return run_often(s, is_followed, t, always);
}

/* Two runs of one schedule differ.  *by_us: both are right, so that it was not the program that made the difference. */
static int blame(struct session *s, const struct trace *first, const struct trace *second, bool *by_us)
{
        struct schedule was = s->schedule;
        struct wire_decision *prefix = malloc((was.n_prefix + 1) * sizeof *prefix);
        int e;

        if (!prefix)
                return no_memory(s);
        memcpy(prefix, was.prefix, was.n_prefix * sizeof *prefix);
        s->schedule.n_hints = s->schedule.n_sleep = 0;
        e = follow(s, first, by_us);
        if (e == SESSION_OK && *by_us)
                e = follow(s, second, by_us);
        s->schedule = was;
        memcpy(was.prefix, prefix, was.n_prefix * sizeof *prefix);
        free(prefix);
        return e;
}

static void describe(char *to, size_t size, const struct trace *t, uint32_t step)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < t->n_events; i++)
                if (t->events[i].flags & WIRE_EV_SCHED && n++ == step) {
                        snprintf(to, size, "thread %u: %s", t->events[i].actor, op_name(t->events[i].op));
                        return;
                }
        snprintf(to, size, "the end");
}

int confirm_first(struct session *s)
{
        struct trace *first = trace_copy(&s->trace);
        char one[96], other[96], what[256];
        bool by_us = false;
        uint32_t step;
        int e;

        if (!first)
                return no_memory(s);
        e = session_run(s, 0, 0);
        step = e == SESSION_OK ? first_difference(first, &s->trace) : UINT32_MAX;
        if (step == UINT32_MAX) {
                free(first);
                return e;
        }
        free(s->diverged);
        s->diverged = trace_copy(&s->trace);
        e = s->diverged ? blame(s, first, s->diverged, &by_us) : no_memory(s);
        if (e == SESSION_OK && by_us) {
                describe(one, sizeof one, first, step);
                describe(other, sizeof other, s->diverged, step);
                snprintf(what, sizeof what, "two runs of one schedule differ (%s, and %s)", one, other);
                e = ours(s, first, step, what);
        } else if (e == SESSION_OK) {
                s->trace = *s->diverged;
                s->trace.end = WIRE_END_DIVERGED;
                s->trace.step = step;
                s->trace.text = "two runs of the same schedule differ";
        }
        free(first);
        return e;
}
