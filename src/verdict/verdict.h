/* What a finished execution means: failures and outcomes. */
#ifndef HEDDLE_VERDICT_VERDICT_H
#define HEDDLE_VERDICT_VERDICT_H

#include "engine/session.h"

/* Looks at s->trace.  New failures are recorded, known ones counted.  The schedule of s is run again in detail for a
 * new one.  SESSION_OK, SESSION_INTR or negative. */
int judge_failures(struct session *s);

/* The same for a run that was recorded in detail already. */
int judge_replayed(struct session *s);

/* Does s->trace show a failure of that kind and key (its index in its failures in *failure), another one of the kind, or
 * neither?  A race (--fail-on race) is no failure of the target: it is added to those of the trace, in `room`. */
enum judge_answer { JUDGE_NO, JUDGE_ALIKE, JUDGE_SAME };
enum judge_answer judge_shows(struct session *s, enum finding_kind kind, uint64_t key,
                              struct wire_failure room[WIRE_MAX_FAILURES], uint32_t *failure);

/* How many entries of a trace lead to a failure of it; the schedule text that shows it and nothing after it (the caller
 * frees it, NULL: out of memory). */
uint32_t judge_upto(const struct trace *t, uint32_t failure);
char *judge_text(const struct session *s, const struct trace *t, uint32_t failure);

/* The outcome of --observe. */
int judge_outcome(struct session *s);

/* A failure that left no usable trace: the process was killed. */
int judge_died(struct session *s);

/* Forgets all outcomes, and failures unless they are to be kept: the exploration begins again. */
void judge_reset(struct session *s, bool keep);

#endif
