/* What a finished execution means: failures and outcomes. */
#ifndef HEDDLE_EXPLORE_JUDGE_H
#define HEDDLE_EXPLORE_JUDGE_H

#include "explore/session.h"

/* Looks at s->trace.  New failures are recorded, known ones counted.  The schedule of s is run again in detail for a
 * new one.  SESSION_OK, SESSION_INTR or negative. */
int judge_failures(struct session *s);

/* The same for a run that was recorded in detail already. */
int judge_replayed(struct session *s);

/* The outcome of --observe. */
int judge_outcome(struct session *s);

/* A failure that left no usable trace: the process was killed. */
int judge_died(struct session *s);

/* Forgets all failures and outcomes: the exploration begins again. */
void judge_reset(struct session *s);

#endif
