/*
 * Running one schedule of the program, whatever happens to its process on the way.
 */
#ifndef HEDDLE_ENGINE_RUN_H
#define HEDDLE_ENGINE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/ahead.h"
#include "engine/lines.h"
#include "engine/outcomes.h"
#include "program/program.h"
#include "strategy/strategy.h"
#include "target/restore_check.h"
#include "trace/trace.h"
#include "verdict/stats.h"

/* Owned by the session, and written by run.c; `schedule` is for its callers to fill, `trace` for them to put another in the
 * place of one that is no longer in the wire. */
struct run {
        struct program *program;       /* what is run */
        const struct stats *stats;     /* for messages: how many executions there were; NULL: none */
        struct schedule schedule;      /* what is run next; its arrays lie in the wire */
        struct trace trace;            /* of the last run; points into the wire, or into `diverged` */
        struct trace *diverged;        /* of a run that is no longer in the wire (confirm.c); owned, NULL: none */
        struct ahead ahead;            /* executions that were run before they are asked for */
        const struct strategy *asks;   /* who asks for them, while it asks; NULL: nobody */
        struct lines lines;            /* what threads of a program with transactions use */
        struct outcome_terms terms;    /* of what is known of its transactions */
        uint64_t runs;                 /* so far */
        uint64_t speculations;         /* runs that ended where a transaction aborted, and were run again */
        uint32_t moves;                /* starts at other addresses, where these are random */
        bool doubtful;                 /* isolation or addresses have changed since failures were found */
        bool names_matter;             /* new threads are news for other explorers: they count as growth */
        struct restore_check restored; /* --check-restore */
        char errors[TRACE_ERRORS];     /* of the trace, if the last run was one with WIRE_DETAIL */
};

/* The program has its regions (program_init()). */
void run_init(struct run *r, struct program *p, const struct stats *stats);
void run_fini(struct run *r);

/* Lets the schedule lie in the regions that the target has now. */
void run_attach(struct run *r);

/* Writes r->schedule into the wire, with these flags too. */
void run_write(struct run *r, uint32_t flags);

/* Runs r->schedule, with these flags too.  Entries before `known` were seen in an earlier run.  enum run_status, or below
 * 0. */
MUST_CHECK int run_schedule(struct run *r, uint32_t flags, uint32_t known);

#endif
