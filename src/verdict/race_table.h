/* Races in the executions of a session: what the detectors find goes to the table in the result. */
#ifndef HEDDLE_VERDICT_RACE_TABLE_H
#define HEDDLE_VERDICT_RACE_TABLE_H

#include "engine/session.h"

void races_init(struct session *s);
void races_fini(struct session *s);

/* Looks at s->trace.  *fresh: there are races that the table does not have; races_note() is due, and if the same schedule
 * is run again in detail in between, it has more to tell of them.  SESSION_OK or negative. */
int races_look(struct session *s, bool *fresh);

/* Brings the table up to date.  `again`: with an execution that was counted already, and went on behind its failure.
 * `fails`: it has a failure that its trace does not tell of. */
int races_note(struct session *s, bool again, bool fails);

/* An earlier execution turned out to be a failure: its races were in one that fails. */
void races_blame(struct session *s, const struct finding *f);

/* The k-th race of the execution that was looked at last, by happens-before, as a failure of s->trace.  False: there are
 * no more. */
bool races_failure(const struct session *s, uint32_t k, struct wire_failure *f);

/* Which accesses of the findings' own traces race, for those who draw them.  What is found counts for nothing else. */
void races_mark(struct session *s);

/* Forgets all: the exploration begins again. */
void races_reset(struct session *s);

#endif
