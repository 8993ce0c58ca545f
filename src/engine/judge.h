/*
 * Judging a finished execution: its verdict (verdict/verdict.h) goes into the result, with evidence for what is new.
 */
#ifndef HEDDLE_ENGINE_JUDGE_H
#define HEDDLE_ENGINE_JUDGE_H

#include "engine/run.h"
#include "verdict/race_table.h"
#include "verdict/result.h"
#include "verdict/verdict.h"

/* Owned by the session; written by judge.c, but for `probe` and `n_raced`. */
struct judge {
        struct run *run;        /* whose trace is judged, and which runs it again */
        struct result *result;  /* what is found goes there */
        struct races *races;    /* owned */
        struct verdict verdict; /* of the trace at hand */
        bool probe;             /* the execution under way is a probe: no part of the figures; set by the loop */
        bool uncounted;         /* ... nor of how often outcomes were seen: an execution that counts shows the same */
        bool failed;            /* the last execution showed a failure that counts */
        uint32_t shown;         /* ... the index of one of those in the result, from 1; 0: none */
        bool stopped;           /* a loop in code that is not watched: each further one would take as long */
        uint32_t n_raced;       /* races of the result whose accesses are points already; counted by the loop */
};

/* RUN_OK or below 0; judge_fini() is due in every case. */
MUST_CHECK int judge_init(struct judge *j, struct run *run, struct result *result);
void judge_fini(struct judge *j);

/* Looks at the trace of the run.  New failures are recorded, known ones counted, and so are outcomes and busy waits.  The
 * schedule is run again in detail for a new one.  RUN_OK, RUN_GREW or below 0. */
MUST_CHECK int judge_execution(struct judge *j);

/* The same for one that was recorded in detail already. */
MUST_CHECK int judge_replayed(struct judge *j);

/* A failure that left no usable trace: the process was killed. */
MUST_CHECK int judge_died(struct judge *j);

/* Does the trace of the run show a failure of that kind and key (its index in its failures in *failure), another one of the
 * kind, or neither?  A race or leak is not a failure of the target: it is added to those of the trace, in `room`. */
enum verdict_answer judge_shows(struct judge *j, enum finding_kind kind, uint64_t key,
                                struct wire_failure room[WIRE_MAX_FAILURES], uint32_t *failure);

/* Forgets all outcomes, and failures unless they are to be kept: the exploration restarts. */
void judge_reset(struct judge *j, bool keep);

#endif
