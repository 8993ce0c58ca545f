/*
 * The figures of an exploration, and whether it is complete.
 */
#ifndef HEDDLE_VERDICT_STATS_H
#define HEDDLE_VERDICT_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/finding.h"
#include "trace/prediction.h"
#include "trace/reasons.h"

/* The expected size, looked at whenever the executions have doubled. */
struct settling {
        double executions, expected; /* when it was looked at last */
        uint32_t steady;             /* times in a row that it had hardly grown */
};

/* The size of the exploration is in this range with STATS_CONFIDENCE; high 0: only that it is not below low is known. */
struct stats_range {
        double low, high;
};

/* Measured: of 83 programs at every doubling of the executions, 9 in 10 of the ranges hold the true size. */
#define STATS_CONFIDENCE 0.8

struct stats {               /* a new figure has its line in stats_add() (verdict/result_state.c) */
        uint64_t executions; /* reached an end */
        uint64_t blocked;    /* cut because they were redundant */
        uint64_t classes;    /* --count-classes: different Mazurkiewicz traces among the executions and cut_assume */
        bool counts_values;  /* the strategy counts combinations of values read: */
        uint64_t value_classes, queries; /* those that were run; questions whether one is possible */
        uint64_t smt_queries;            /* ... that an SMT solver was asked */
        uint64_t reads;                  /* whose values distinguish executions, or have to be kept; in all of them */
        double query_seconds;            /* ... and the time they took */
        bool predicts;                   /* --strategy predict: */
        struct prediction_figures prediction;
        uint64_t probes;     /* probes for failures, apart from all other figures */
        uint32_t proven;     /* so many bounds are done, from 0 preemptions on: nothing is left within them */
        uint32_t fair_limit; /* transitions of a thread after which others ran first, 0: no limit ... */
        uint64_t rounds, rounds_covered; /* ... of loops before that: most in an execution, and all explored up to */
        uint64_t timed_out;              /* runs in which a wait timed out */
        uint64_t cut_assume, cut_bound, cut_depth, cut_spin;
        uint64_t events, transitions;
        uint64_t ignored[FINDING_KINDS]; /* executions with such a failure, which does not count */
        uint64_t blocked_events;         /* entries of blocked runs beyond their prefix */
        uint64_t restarts;               /* explorations restarted because the shared set grew */
        uint32_t threads;                /* most in any execution */
        double seconds;
        double share;         /* explored, as far as that can be guessed; 0: it cannot */
        uint32_t share_bound; /* ... of executions with fewer preemptions than this; 0: of all */
        double expected_executions, expected_seconds; /* of the whole exploration, if share is not 0 */
        struct settling settling;                     /* ... and how far that can be trusted */
        bool minimizing;                              /* the search is over, and failures are made simple */
        bool leads_back; /* workers stopped, since executions return to earlier states: one explorer has to compare these */
        bool complete;
        struct reasons reasons; /* ... if it is not */
};

/* Executions that reached an end, probes included: what reports count, and number. */
static inline uint64_t stats_runs(const struct stats *st)
{
        return st->executions + st->probes;
}

/* The number of the execution that was counted last and has this end (enum wire_end); where it was cut, among those that were,
 * too. */
uint64_t stats_number(const struct stats *st, uint32_t end);

/* The exploration is not complete, for this reason; detail: NULL, or what the reason is about. */
void stats_incomplete(struct stats *st, enum reason reason, const char *detail);

/* ... for all of these, of which there may be none. */
void stats_reasons(struct stats *st, const struct reasons *reasons);

/* Notes that this share is explored, and what follows if the rest is like it; 0: nothing is known. */
void stats_expect(struct stats *st, double share);

/* The range of executions in all, which follows from stats_expect(); {0, 0}: nothing can be said. */
struct stats_range stats_range(const struct stats *st);

#endif
