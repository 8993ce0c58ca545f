/*
 * The main loop: ask the strategy for a schedule, run it in the target, let observers and strategy read the trace.
 *
 * cli/explore.c puts an exploration together: it calls loop_begin(), loop_run(), loop_end() in this order, with other
 * explorers (parallel/) and minimisation (minimize/) in between.
 */
#ifndef HEDDLE_ENGINE_LOOP_H
#define HEDDLE_ENGINE_LOOP_H

#include "base/error.h"
#include "engine/session.h"
#include "strategy/strategy.h"

/* Called now and then (at most ten times a second) with the figures so far; may be NULL. */
typedef void (*loop_progress)(void *arg, const struct stats *s);

/* Makes the strategy, and takes up what --resume names.  RUN_OK or below 0. */
MUST_CHECK int loop_begin(struct session *s);

/* Explores until the strategy has nothing more to run, a limit is reached, the exploration has ended, or others are to help
 * (progress_share_due()).  RUN_OK or below 0. */
MUST_CHECK int loop_run(struct session *s, loop_progress progress, void *arg);

/* The figures of what was explored, and why it is not complete. */
void loop_end(struct session *s);

/* Asks the strategy for the next schedule, as strategy_next().  One that searches for it does not do so beyond --time. */
MUST_CHECK int loop_next(struct session *s);

/* Optimal takes the place of the strategy, because of this.  RUN_OK or below 0. */
MUST_CHECK int loop_replace(struct session *s, const char *why);

/* For loop.c and worker.c. */
enum loop_more {
        LOOP_ENDED, /* a failure ends it, or the program cannot be explored further */
        LOOP_MORE,
        LOOP_AGAIN, /* interrupted, or time was up: nothing was learnt */
        LOOP_GREW,  /* memory turned out to be shared: the run does not count, and everything restarts */
};

/* step.c: runs what next() gave, counts, learns, judges.  enum loop_more, or below 0. */
MUST_CHECK int loop_step(struct session *s, struct strategy *strategy);

/* Forgets all that was explored; loop_begin_again() counts that as a restart.  Failures are kept: the executions that showed
 * them become probes.  Not so where isolation or addresses have changed: a failure may come from what was not undone, and
 * failures are compared by address. */
void loop_forget(struct session *s, struct strategy *strategy);
void loop_begin_again(struct session *s, struct strategy *strategy);

#endif
