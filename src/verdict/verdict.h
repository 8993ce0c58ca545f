/*
 * What an execution shows: a function of its trace, and of what the tables know of the other executions.
 *
 * Nothing is run, recorded or counted here (engine/judge.h does that).
 */
#ifndef HEDDLE_VERDICT_VERDICT_H
#define HEDDLE_VERDICT_VERDICT_H

#include "base/error.h"
#include "base/vec.h"
#include "trace/finding.h"
#include "trace/trace.h"
#include "verdict/race_table.h"
#include "verdict/result.h"

#define VERDICT_NONE UINT32_MAX

struct verdict_finding {
        enum finding_kind kind;
        uint64_t key;     /* finding_key() */
        uint32_t failure; /* its index in the trace's failures; VERDICT_NONE: it is none of them */
        uint32_t made;    /* its index in `made`; VERDICT_NONE: the target knows of it */
        bool held;        /* a leak that is not a failure as far as is known: other executions may show less */
};

/* Zero at first; verdict_of() keeps the memory from one trace to the next. */
struct verdict {
        VEC(struct verdict_finding) findings; /* leaks, then races, then what the observers see */
        VEC(struct wire_failure) made;        /* failures that the target does not know of: leaks and races */
};

struct verdict_rules {
        const struct result *leaks; /* what is known of leaks (leak_table.h); NULL: they are not asked for */
        bool all_leaks;             /* all of them are failures (--leaks all) */
        const struct races *races;  /* they are failures, and have checked the trace; NULL: they are none */
};

/* 0, or -1: out of memory. */
MUST_CHECK int verdict_of(struct verdict *v, const struct trace *t, const struct verdict_rules *rules);
void verdict_fini(struct verdict *v);

/* Is there a finding of that kind and key, another one of the kind, or neither?  *at: which. */
enum verdict_answer { VERDICT_NO, VERDICT_ALIKE, VERDICT_SAME };
enum verdict_answer verdict_shows(const struct verdict *v, enum finding_kind kind, uint64_t key, uint32_t *at);

/* The index of a finding among the failures of the trace.  One that the target does not know of is added to them: then the
 * failures of the trace lie in `room`. */
uint32_t verdict_place(const struct verdict *v, uint32_t at, struct trace *t,
                       struct wire_failure room[WIRE_MAX_FAILURES]);

/* How many entries of a trace lead to a failure of it; the schedule text that shows it and nothing after it (the caller
 * frees it, NULL: out of memory). */
uint32_t verdict_upto(const struct trace *t, uint32_t failure);
char *verdict_text(const struct program *p, const struct trace *t, uint32_t failure);

/* Is there an endless loop in it?  Then to run it again takes as long, and tells nothing new. */
bool verdict_loops(const struct trace *t);

#endif
