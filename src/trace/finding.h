/*
 * What an exploration has to tell: failures, outcomes and figures.  Reports read this and nothing else.
 */
#ifndef HEDDLE_TRACE_FINDING_H
#define HEDDLE_TRACE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/leak.h"
#include "trace/race.h"
#include "trace/reasons.h"
#include "trace/trace.h"

enum finding_kind { /* the `kind` of a report, see finding_kind_name() */
                    FINDING_DEADLOCK,
                    FINDING_ASSERTION,
                    FINDING_CRASH,
                    FINDING_ABORT,
                    FINDING_EXIT_STATUS,
                    FINDING_LIVELOCK,
                    FINDING_INFINITE_LOOP,
                    FINDING_LOCK_MISUSE,
                    FINDING_NONDETERMINISM,
                    FINDING_INVARIANT,
                    FINDING_RACE,
                    FINDING_USE_AFTER_FREE,
                    FINDING_DOUBLE_FREE,
                    FINDING_INVALID_FREE,
                    FINDING_OUT_OF_BOUNDS,
                    FINDING_LEAK,
                    FINDING_KINDS
};

const char *finding_kind_name(enum finding_kind kind);

/* The kind of a failure that the target reported (enum wire_failure_kind). */
enum finding_kind finding_kind_of(uint32_t wire_failure_kind);

struct symbols;

/* The same number for failures that are the same: by kind and place, or by the threads that wait in a cycle (in any
 * place where there is none) with what they wait for.  `failure` is an index in t->failures, or UINT32_MAX. */
uint64_t finding_key(enum finding_kind kind, const struct trace *t, uint32_t failure);

/* One line that says what happened; the caller frees it, NULL when memory is out. */
char *finding_message(enum finding_kind kind, const struct trace *t, uint32_t failure, struct symbols *s);

/* The thread that a failure is about, WIRE_NO_ACTOR if none, and its call sites, innermost first: `sites` has room for
 * WIRE_MAX_STACK + 1.  The number of sites. */
uint32_t finding_actor(enum finding_kind kind, const struct trace *t, uint32_t failure);
uint32_t finding_stack(enum finding_kind kind, const struct trace *t, uint32_t failure, uint64_t *sites);
/* The same for any thread at the end of the execution; none when it is done. */
uint32_t finding_thread_stack(const struct trace *t, uint32_t thread, uint64_t *sites);

/* The name of an object for people: "mutex m", "x", "T2", "mutex 0x4c8010".  Written into buf. */
const char *finding_object(char *buf, size_t size, struct symbols *s, uint32_t op, uint64_t obj);

/* What was done to make a failure simple before it is shown. */
struct minimized {
        bool tried;
        bool done;    /* the execution is the simplest that was found */
        bool fewest;  /* and none with fewer preemptions shows the failure */
        bool timeout; /* not everything was tried that there is to try */
        uint32_t was_preemptions, was_switches,
                was_steps; /* of the execution that was found first; steps: transitions */
        uint32_t switches, steps;
        bool inflection_known;
        uint32_t inflection; /* entry, from 1, after which every continuation fails; 0: every execution does */
        uint64_t runs;
        double seconds;
};
/* The same by the kind of the object (enum op_object). */
const char *finding_name(char *buf, size_t size, struct symbols *s, uint32_t kind, uint64_t obj);

struct finding_race { /* entries of a trace */
        uint32_t early, late;
};

struct finding {
        enum finding_kind kind;
        uint64_t key;       /* equal for failures that are the same: kind, places, threads' pending operations */
        uint64_t count;     /* executions that showed it */
        uint64_t execution; /* number of the first one, from 1 */
        uint32_t failure;   /* index in trace->failures, or UINT32_MAX (deadlock, livelock, nondeterminism) */
        uint32_t preemptions;
        bool looked; /* found by a quick look; `execution` counts these too */
        struct minimized minimized;
        struct finding_race *races; /* accesses of the trace that race, first ones first; owned */
        uint32_t n_races;
        char *schedule;      /* the schedule text (trace/schedule.h) */
        struct trace *trace; /* of the first execution, or the minimised one, recorded with WIRE_DETAIL; owned */
};

/* One distinct outcome of --observe. */
struct outcome {
        uint64_t *values; /* one per cell */
        uint64_t executions;
        char *schedule;
};

struct observed {   /* a variable of --observe, or one element of an array */
        char *name; /* "x", "a[3]" */
        uint64_t addr;
        uint32_t size; /* 1, 2, 4 or 8 */
        bool is_signed, is_pointer, is_bool, is_char;
};

struct stats {               /* a new figure has its line in stats_add() (verdict/result_state.c) */
        uint64_t executions; /* reached an end */
        uint64_t blocked;    /* cut because they were redundant */
        uint64_t classes;    /* --count-classes: different Mazurkiewicz traces among the executions and cut_assume */
        uint64_t looked;     /* quick looks for failures, apart from all other figures */
        uint32_t proven;     /* so many bounds are done, from 0 preemptions on: nothing is left within them */
        uint64_t timed_out;  /* runs in which a wait timed out */
        uint64_t cut_assume, cut_bound, cut_depth, cut_spin;
        uint64_t events, transitions;
        uint64_t ignored[FINDING_KINDS]; /* executions with such a failure, which does not count */
        uint64_t blocked_events;         /* entries of blocked runs beyond their prefix */
        uint64_t restarts;               /* explorations begun again because the shared set grew */
        uint32_t threads;                /* most in any execution */
        double seconds;
        double share;         /* explored, as far as that can be guessed; 0: it cannot */
        uint32_t share_bound; /* ... of executions with fewer preemptions than this; 0: of all */
        double expected_executions, expected_seconds; /* of the whole exploration, if share is not 0 */
        bool minimizing;                              /* the search is over, and failures are made simple */
        bool complete;
        struct reasons reasons; /* ... if it is not */
};

enum point_set_state { POINT_SET_PENDING, POINT_SET_SUSPENDED, POINT_SET_DONE, POINT_SET_FAILING, POINT_SET_CANCELLED };

/* A set of preemption points that was, or was to be, explored (--strategy deepen). */
struct point_set_told {
        enum point_set_state state;
        uint32_t classes; /* WIRE_POINT_* */
        const uint64_t *sites;
        uint32_t n_sites;
        uint64_t executions;
        double seconds;
        bool maximal;
};

const char *point_set_state_name(enum point_set_state state);

#define RESULT_MAX_BUSY 4

struct result {
        struct stats stats;
        struct finding *findings;
        uint32_t n_findings;
        struct observed *observed;
        uint32_t n_observed;
        struct outcome *outcomes;
        uint32_t n_outcomes;
        uint32_t *outcome_slots; /* hash table of them, index + 1; of 1 << outcome_bits */
        uint32_t outcome_bits;
        struct race *races;
        uint32_t n_races;
        uint32_t *race_slots; /* hash table of them, index + 1; of 1 << race_bits (verdict/race_index.h) */
        uint32_t race_bits;
        struct leak *leaks;
        uint32_t n_leaks;
        uint64_t leaks_known;        /* executions that were looked at for them */
        struct wire_module *modules; /* of the target, for symbols */
        uint32_t n_modules;
        struct wire_label *labels; /* names that the program gave to objects */
        uint32_t n_labels;
        char assumed[WIRE_MAX_ASSUMED][WIRE_ASSUMED_TEXT]; /* outside: taken to be the same in every execution */
        uint32_t n_assumed;
        bool unfiltered;                /* ... and what was opened while it ran is not known */
        struct trace *replayed;         /* by loop_replay(): its execution, recorded with WIRE_DETAIL; owned */
        bool other_build;               /* by loop_replay(): the schedule is from another build of the program */
        char *captured;                 /* config.capture: the schedule text of that execution */
        uint64_t busy[RESULT_MAX_BUSY]; /* places where threads wait for others in loops */
        uint32_t n_busy;
        struct point_set_told *sets; /* in the order in which they came up; owned, and the sites of each */
        uint32_t n_sets;
        char **excluded; /* what options and attributes keep out of the exploration, in words; owned */
        uint32_t n_excluded;
        bool instrumented;
        bool forked; /* isolation was by fork, and why: */
        char isolation[256];
        char not_saved[512]; /* why the last checkpoint could not be written, or empty */
};

#endif
