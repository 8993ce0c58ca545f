/* Races in the executions of an exploration: what the detectors find goes to the table in the result. */
#ifndef HEDDLE_VERDICT_RACE_TABLE_H
#define HEDDLE_VERDICT_RACE_TABLE_H

#include "program/program.h"
#include "trace/trace.h"
#include "verdict/result.h"

struct races; /* the detectors, the program that they look at, the result that they fill */

/* NULL: out of memory.  Every function but races_destroy() wants one. */
struct races *races_create(struct program *p, struct result *r);
void races_destroy(struct races *x);

/* Looks at a trace.  *fresh: there are races that the table does not have; races_note() is due, and if the same schedule
 * is run again in detail in between, it has more to tell of them.  RUN_OK or below 0. */
MUST_CHECK int races_look(struct races *x, const struct trace *t, bool *fresh);

/* How the execution that was checked last counts. */
struct races_how {
        bool again; /* it was counted already, and continued behind its failure */
        bool fails; /* it has a failure that its trace does not tell of */
        bool probe; /* it is not part of the figures */
};

/* Brings the table up to date.  RUN_OK or below 0. */
MUST_CHECK int races_note(struct races *x, const struct trace *t, struct races_how how);

/* An earlier execution turned out to be a failure: its races were in one that fails. */
void races_blame(struct races *x, const struct finding *f);

/* The k-th race of the execution that was checked last, by happens-before, as a failure of its trace `t`.  False: there
 * are no more. */
bool races_failure(const struct races *x, const struct trace *t, uint32_t k, struct wire_failure *f);

/* Which accesses of the findings' own traces race, for drawings.  What is found counts for nothing else. */
void races_mark(struct races *x);

/* Forgets all: the exploration restarts. */
void races_reset(struct races *x);

#endif
