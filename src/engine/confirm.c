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

static bool same(const struct wire_event *x, const struct wire_event *y)
{
        return x->actor == y->actor && x->op == y->op && x->obj == y->obj && x->size == y->size && x->mode == y->mode &&
               x->pos == y->pos;
}

/* The first transition in which two traces differ, or UINT32_MAX. */
static uint32_t first_difference(const struct trace *a, const struct trace *b)
{
        uint32_t n = a->n_events < b->n_events ? a->n_events : b->n_events, step = 0;

        for (uint32_t i = 0; i < n; i++) {
                if (!same(&a->events[i], &b->events[i]))
                        return step;
                step += a->events[i].flags & WIRE_EV_SCHED;
        }
        return a->n_events == b->n_events && a->end == b->end ? UINT32_MAX : step;
}

/* --verbose: what the two runs did there. */
static void note_difference(const struct trace *a, const struct trace *b)
{
        uint32_t i = 0;

        while (i < a->n_events && i < b->n_events && same(&a->events[i], &b->events[i]))
                i++;
        for (int k = 0; k < 2; k++) {
                const struct trace *t = k ? b : a;
                const struct wire_event *e = &t->events[i];

                if (i >= t->n_events)
                        log_note("the %s run ends before entry %u", k ? "second" : "first", i);
                else
                        log_note("entry %u of the %s run: thread %u, %s, %u bytes at %#llx, hook call %u, called from "
                                 "%#llx",
                                 i, k ? "second" : "first", e->actor, op_name(e->op), e->size,
                                 (unsigned long long)e->obj, e->pos, (unsigned long long)e->site);
        }
}

/* Calls holds() after each of many runs of the schedule at hand; *always: it said yes each time. */
static int run_often(struct run *r, bool (*holds)(const struct run *r, const struct trace *t), const struct trace *t,
                     bool *always)
{
        int fresh = r->program->target.spawn.aslr ? 0 : FRESH, e = RUN_OK;

        *always = true;
        for (int i = 0; i < RUNS + fresh && *always && e == RUN_OK; i++) {
                if (i >= RUNS)
                        target_stop(&r->program->target);
                e = run_schedule(r, 0, 0);
                *always = e == RUN_OK && holds(r, t);
        }
        return e;
}

/* One line for the user: what we did wrong, and all that is needed to see it again. */
static int ours(struct run *r, const struct trace *t, uint32_t step, const char *what)
{
        char *text = program_text(r->program, t, t->n_events, WIRE_NO_ACTOR, false);

        error_set(r->program->why, ERROR_FAIL,
                  "this is an error of heddle %s, not of the program: %s, at step %u; please report it, with %.*s%s",
                  HEDDLE_VERSION, what, step, 280, text ? text : "the program",
                  text && strlen(text) > 280 ? "... (all of it with --verbose)" : "");
        if (text && strlen(text) > 280)
                log_note("the schedule up to there: %s", text);
        free(text);
        return ERROR_FAIL;
}

static bool diverges_alike(const struct run *r, const struct trace *t)
{
        return r->trace.step == t->step && strcmp(r->trace.text, t->text) == 0 &&
               first_difference(t, &r->trace) == UINT32_MAX;
}

int confirm_diverged(struct run *r)
{
        uint32_t step = r->trace.step;
        const struct wire_decision *d = &r->schedule.prefix[step];
        bool always, ran = step >= r->schedule.n_prefix || d->op; /* there was an execution that continued like this */
        char what[WIRE_TEXT + 96];
        int e;

        if (ran)
                return RUN_OK;
        free(r->diverged);
        r->diverged = trace_copy(&r->trace);
        if (!r->diverged)
                return error_memory(r->program->why);
        e = run_often(r, diverges_alike, r->diverged, &always);
        r->trace = *r->diverged;
        if (e != RUN_OK || !always)
                return e == RUN_DIED || e == RUN_GREW ? RUN_OK : e;
        snprintf(what, sizeof what, "it requested a step of thread %u that is not possible (%s)", d->actor,
                 r->trace.text);
        return ours(r, r->diverged, step, what);
}

static bool is_followed(const struct run *r, const struct trace *t)
{
        (void)t;
        return r->trace.end != WIRE_END_DIVERGED && r->trace.n_transitions >= r->schedule.n_prefix;
}

/* Can all decisions of an execution be followed, whatever the spin detector says? */
static int follow(struct run *r, const struct trace *t, bool *always)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];

                if (e->flags & WIRE_EV_SCHED)
                        r->schedule.prefix[n++] = (struct wire_decision){
                                .actor = e->actor, .op = e->op, .choice = e->choice, .obj = e->obj};
        }
        r->schedule.n_prefix = n;
        return run_often(r, is_followed, t, always);
}

/* Two runs of one schedule differ.  *by_us: both are right, so that it was not the program that made the difference. */
static int blame(struct run *r, const struct trace *first, const struct trace *second, bool *by_us)
{
        struct schedule was = r->schedule;
        struct wire_decision *prefix = malloc((was.n_prefix + 1) * sizeof *prefix);
        int e;

        if (!prefix)
                return error_memory(r->program->why);
        memcpy(prefix, was.prefix, was.n_prefix * sizeof *prefix);
        r->schedule.n_hints = r->schedule.n_sleep = 0;
        e = follow(r, first, by_us);
        if (e == RUN_OK && *by_us)
                e = follow(r, second, by_us);
        r->schedule = was;
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

void confirm_differs(struct run *r, const struct trace *first)
{
        uint32_t step = first_difference(first, &r->trace);

        note_difference(first, &r->trace);
        r->trace.end = WIRE_END_DIVERGED;
        r->trace.step = step < r->trace.n_transitions ? step : r->trace.n_transitions;
        r->trace.text = "two runs of the same schedule differ";
}

int confirm_first(struct run *r)
{
        struct trace *first = trace_copy(&r->trace);
        char one[96], other[96], what[256];
        bool by_us = false;
        uint32_t step;
        int e;

        if (!first)
                return error_memory(r->program->why);
        e = run_schedule(r, 0, 0);
        step = e == RUN_OK ? first_difference(first, &r->trace) : UINT32_MAX;
        if (step == UINT32_MAX) {
                free(first);
                return e;
        }
        free(r->diverged);
        r->diverged = trace_copy(&r->trace);
        e = r->diverged ? blame(r, first, r->diverged, &by_us) : error_memory(r->program->why);
        if (e == RUN_OK && by_us) {
                describe(one, sizeof one, first, step);
                describe(other, sizeof other, r->diverged, step);
                snprintf(what, sizeof what, "two runs of one schedule differ (%s, and %s)", one, other);
                e = ours(r, first, step, what);
        } else if (e == RUN_OK) {
                r->trace = *r->diverged;
                confirm_differs(r, first);
        }
        free(first);
        return e;
}
