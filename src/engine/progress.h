/*
 * Where an exploration is: its clocks, how much is explored, whether it has ended.
 */
#ifndef HEDDLE_ENGINE_PROGRESS_H
#define HEDDLE_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "config/config.h"
#include "hb/classes.h"
#include "strategy/strategy.h"
#include "verdict/stats.h"

/* Owned by the session.  Moments are those of clock_now(). */
struct progress {
        double started;           /* when it began */
        double ticked;            /* when progress was shown last */
        double saved;             /* when a checkpoint was written last */
        double before;            /* seconds of the runs that this one resumes */
        bool ended;               /* the exploration cannot continue, or need not: what was found ends it */
        bool covered;             /* the strategy has nothing more to run */
        bool in_part;             /* the strategy knows only a part of the last execution: not to be stored */
        uint64_t reached;         /* the limits that stopped it, as a set of reasons */
        struct stream shared;     /* from a checkpoint: what several explorers have left (coordinator_state.h) */
        bool was_shared;          /* several have explored last, and stored what they left */
        double explored;          /* share, when several explored last; else 0 */
        uint32_t first_turns;     /* fairness.c: of the busiest thread in the first execution, 0: there is none ... */
        uint64_t rounds;          /* ... and rounds within the last limit that is done */
        struct classes classes;   /* --count-classes */
        struct estimate estimate; /* of the strategy's tree; a run costs 1 */
        uint32_t trees;           /* done before that one (strategy.h) ... */
        uint64_t trees_runs;      /* ... with so many executions */
        uint64_t guess_at;        /* executions after which the next guess is due */
};

void progress_init(struct progress *p);
void progress_fini(struct progress *p);

/* Forgets what was explored: the exploration restarts. */
void progress_reset(struct progress *p);

/* Seconds of work on the exploration, with those of the runs that it resumes. */
double progress_seconds(const struct progress *p);

/* The limits that are reached, as a set of reasons. */
uint64_t progress_limits(const struct progress *p, const struct config *c, const struct stats *st);

/* Is it time to call for help?  A short exploration is over before it comes. */
bool progress_share_due(const struct progress *p, const struct config *c, const struct strategy *strategy);

/* The strategy's tree has one more path.  false: out of memory. */
bool progress_grow(struct progress *p, const struct strategy *strategy, struct stats *st);

/* How much is explored, as far as that can be guessed: into the figures. */
void progress_guess(const struct progress *p, const struct strategy *strategy, struct stats *st);

/* What the strategy has predicted since the last call: into the figures. */
void progress_take_predictions(const struct strategy *strategy, struct stats *st);

#endif
