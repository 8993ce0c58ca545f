/*
 * Where threads may be preempted, and which parts of the program are treated otherwise: options and attributes become the
 * marks, rules and points of the wire.
 */
#ifndef HEDDLE_PROGRAM_PREEMPTION_POINTS_H
#define HEDDLE_PROGRAM_PREEMPTION_POINTS_H

#include "engine/session.h"

/* Finds the functions and variables that are marked, and tells what is left out because of them.  SESSION_OK, or
 * SESSION_USAGE or SESSION_FAIL with s->why. */
int points_find(struct session *s);

/* One more line of what is left out of the exploration, for the result.  SESSION_OK, or SESSION_FAIL: memory is out. */
__attribute__((format(printf, 2, 3))) int points_exclude(struct session *s, const char *format, ...);

/* --preempt races: the accesses that race become points.  SESSION_GREW: there are more than before, so that what was explored
 * does not count; SESSION_OK, or SESSION_FAIL with s->why. */
int points_learn(struct session *s);

/* There is no room for all accesses that race: SESSION_FAIL with s->why. */
int points_too_many(struct session *s);

/* Is the access at this place of the code a point? */
bool points_has(const struct session *s, uint64_t site);

/* The set of points of the run that s->schedule describes goes into the wire. */
void points_write(struct session *s);

/* The sets of a strategy that chooses points by itself go into the result. */
void points_tell(struct session *s, const struct strategy *strategy);

#endif
