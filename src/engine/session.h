/*
 * One exploration under way: the target, what is known of the program, and the result that grows.
 */
#ifndef HEDDLE_ENGINE_SESSION_H
#define HEDDLE_ENGINE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "hb/classes.h"
#include "config/config.h"
#include "strategy/strategy.h"
#include "target/target.h"
#include "trace/finding.h"
#include "binary/symbols.h"

struct races; /* race_table.c */

struct session {
        const struct config *config;
        struct target target;
        struct result *result;
        struct symbols *symbols;
        struct schedule schedule;      /* points into the wire */
        struct trace trace;            /* of the last run, points into the wire */
        uint32_t moves;                /* starts at other addresses (session.c, moved()) */
        bool doubtful;                 /* isolation or addresses have changed since failures were found */
        uint32_t fingerprint;          /* of the program's build (build_fingerprint.h) */
        uint32_t n_checked;            /* entries of the last trace that were checked before */
        uint64_t print[WIRE_PRINTS];   /* --check-restore: of the first execution of ... */
        uint64_t print_target;         /* ... this start of the target */
        double started, ticked, saved; /* clocks */
        double before;                 /* seconds of the runs that this one resumes */
        uint32_t n_raced;              /* races of the result whose accesses are points already */
        bool names_matter;             /* new threads are news for other explorers: they count as growth */
        bool ended;                    /* the exploration cannot go on, or need not: what was found ends it */
        bool failed;                   /* the last execution showed a failure that counts */
        bool looking;                  /* the execution under way is a quick look */
        struct stream shared;          /* from a checkpoint: what several explorers have left (coordinator_state.h) */
        struct classes classes;        /* --count-classes */
        struct estimate estimate;      /* of the strategy's tree; a run costs 1 */
        uint32_t trees;                /* done before that one (strategy.h) ... */
        uint64_t trees_runs;           /* ... with so many executions */
        double explored;               /* share, when several explored last; else 0 */
        bool in_part;                  /* the strategy knows only a part of the last execution: not to be stored */
        struct races *races;           /* owned */
        bool stopped;                  /* a loop in code that is not watched: each further one would take as long */
        struct reasons unwatched;      /* inline assembly that may be executed without our knowing */
        struct trace *diverged;        /* of a run that is no longer in the wire; owned */
        char *why;                     /* 512 bytes: one line for the user */
};

enum session_status {
        SESSION_OK,         /* the trace is there */
        SESSION_GREW,       /* ... but memory turned out to be shared: it does not count */
        SESSION_DIED,       /* the program killed its process, again and again: see target.why */
        SESSION_INTR,       /* the user wants to stop */
        SESSION_USAGE = -2, /* the program cannot be checked: `why` */
        SESSION_FAIL = -3,  /* heddle failed: `why` */
};

/* The schedule text of an execution of this session (schedule_encode()). */
char *session_text(const struct session *s, const struct trace *t, uint32_t n_events, uint32_t last, bool fails);

/* Starts the target and finds the observed variables.  SESSION_OK or negative. */
int session_init(struct session *s, const struct config *config, struct result *r, char *why);
void session_fini(struct session *s);

/* Takes over what the target told: the names that the program gave to objects, and what it uses of the outside. */
void session_labels(struct session *s);

/* Writes what stands in s->schedule into the wire, with these flags too. */
void session_write(struct session *s, uint32_t flags);

/* Runs what stands in s->schedule, with these flags too.  Entries before `known` were seen in an earlier run. */
int session_run(struct session *s, uint32_t flags, uint32_t known);

#endif
