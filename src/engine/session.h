/*
 * One exploration under way, in four parts, each with its own header: the program, the run, the judge with the result, and
 * the progress.  Functions take the part that they need; the session is for functions that need all.
 */
#ifndef HEDDLE_ENGINE_SESSION_H
#define HEDDLE_ENGINE_SESSION_H

#include "engine/judge.h"
#include "engine/progress.h"
#include "engine/run.h"
#include "program/program.h"
#include "strategy/strategy.h"
#include "verdict/result.h"

/* Trials of a search over states (matching.c). */
struct matching {
        uint64_t next;         /* executions after which it is asked whether a trial is worth it; 0: the first number */
        struct strategy *kept; /* what waits for the end of the trial under way; owned, NULL: there is none */
        struct stats figures;  /* ... and its figures */
        uint64_t runs;         /* that the trial may have */
        bool changed;          /* the last execution was not of the strategy whose turn it is */
};

struct session {
        const struct config *config; /* the command line; the caller's */
        struct program program;      /* what is explored (program/program.h) */
        struct run run;              /* one schedule of it, and its trace (run.h) */
        struct judge judge;          /* what traces mean (judge.h) */
        struct strategy *strategy;   /* decides what is run; owned, NULL: a replay */
        struct progress progress;    /* how far the exploration is (progress.h) */
        struct matching matching;    /* trials of a search over states (matching.h) */
        struct result *result;       /* what was found; the caller's (verdict/result.h) */
        struct error *why;           /* after an error; the caller's */
};

/* Starts the program and finds out what must be known of it.  RUN_OK, RUN_INTR or below 0; session_fini() is due in every
 * case. */
MUST_CHECK int session_init(struct session *s, const struct config *config, struct result *r, struct error *why);
void session_fini(struct session *s);

#endif
