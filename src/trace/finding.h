/*
 * A failure: its kind, whether two are the same, and what is said of it.
 */
#ifndef HEDDLE_TRACE_FINDING_H
#define HEDDLE_TRACE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
                    FINDING_TRANSACTION,
                    FINDING_KINDS
};

const char *finding_kind_name(enum finding_kind kind);

/* FINDING_KINDS for NULL and for a name that this version does not know. */
enum finding_kind finding_kind_named(const char *name);

/* The kind of a failure that the target reported (enum wire_failure_kind). */
enum finding_kind finding_kind_of(uint32_t wire_failure_kind);

struct symbols;

/* The same number for failures that are the same: by kind and place, or by the threads that wait in a cycle (in any
 * place where there is none) with what they wait for.  `failure` is an index in t->failures, or UINT32_MAX. */
uint64_t finding_key(enum finding_kind kind, const struct trace *t, uint32_t failure);

/* One line that says what happened; the caller frees it, NULL when out of memory. */
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
        uint32_t inflection; /* entry, from 1, after which the failure is unavoidable; 0: every execution does */
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
        bool by_probe; /* found by a probe; `execution` counts these too */
        struct minimized minimized;
        struct finding_race *races; /* accesses of the trace that race, first ones first; owned */
        uint32_t n_races;
        char *schedule;      /* the schedule text (trace/schedule.h) */
        bool *irrelevant;    /* of each event of the trace: nothing depends on it (--static); NULL: not known; owned */
        struct trace *trace; /* of the first execution, or the minimised one, recorded with WIRE_DETAIL; owned */
};

/* Frees what it owns. */
void finding_fini(struct finding *f);

/* Names of variables on stacks are those of its execution from here on. */
void finding_focus(const struct finding *f, struct symbols *s);

#endif
