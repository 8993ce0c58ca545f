/*
 * The main loop: ask the strategy for a schedule, run it in the target, let observers and strategy read the trace.
 */
#ifndef HEDDLE_ENGINE_LOOP_H
#define HEDDLE_ENGINE_LOOP_H

#include "base/deadline.h"
#include "trace/finding.h"
#include "trace/schedule.h"
#include "config/config.h"

struct target;

/* Called now and then (at most ten times a second) with the figures so far; may be NULL. */
typedef void (*loop_progress)(void *arg, const struct stats *s);

enum loop_status {
        LOOP_OK = 0,     /* the result holds a verdict */
        LOOP_USAGE = -2, /* the program cannot be checked: `why` says what to do */
        LOOP_INTERNAL = -3,
};

/* Explores config->program.  Fills *r (freed by result_fini) and, on failure, `why` with one line for the user. */
int loop_explore(const struct config *config, struct result *r, char why[512], loop_progress progress, void *arg);

struct session;
struct strategy;

/* For those who explore (loop.c, worker.c). */
enum loop_more {
        LOOP_ENDED, /* a failure ends it, or the program cannot be explored further */
        LOOP_MORE,
        LOOP_AGAIN, /* interrupted, or time was up: nothing was learnt */
        LOOP_GREW,  /* memory turned out to be shared: the run does not count, and all begins again */
};

/* The exploration is not complete, for this reason; detail: NULL, or what the reason is about. */
struct stats;
void loop_incomplete(struct stats *st, enum reason reason, const char *detail);

/* ... for all of these, of which there may be none. */
void loop_reasons(struct stats *st, const struct reasons *reasons);

/* step.c: runs what next() gave, counts, learns, judges.  enum loop_more, or negative with s->why. */
int loop_step(struct session *s, struct strategy *strategy);

/* Notes that this share is explored, and what follows if the rest is like it; 0: nothing is known. */
void loop_expect(struct stats *st, double share);

/* Forgets all that was explored; loop_begin_again() counts that as a restart.  Failures are kept: the executions that showed
 * them become probes.  Not so where isolation or addresses have changed: a failure may come from what was not undone, and
 * failures are compared by address. */
void loop_forget(struct session *s, struct strategy *strategy);
void loop_begin_again(struct session *s, struct strategy *strategy);

/* What `replay` runs: a schedule text, or a list of threads, one for each transition. */
struct replay {
        const struct schedule_text *text; /* NULL: the list */
        const uint16_t *threads;
        uint32_t n_threads;
        const char *kind; /* of the failure that it is to show, by its name; NULL: any, if text says that it fails */
        bool steps;       /* every step is wanted: result->replayed */
        double minimize;  /* not 0: its failure is minimised within so many seconds, and no output is shown */
        struct debugger *debugger; /* NULL: none; else it is run under that (debug.h) */
};

/* Runs one schedule, with the program's output shown.  Fills *r like loop_explore(); LOOP_USAGE also for a schedule that
 * cannot be followed, with the step in `why`.  LOOP_INTERNAL where the same build of the program failed by this schedule and
 * does not any more. */
int loop_replay(const struct config *config, const struct replay *what, struct result *r, char why[512]);

void result_fini(struct result *r);

#endif
