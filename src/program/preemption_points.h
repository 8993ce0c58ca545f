/*
 * Where threads may be preempted, and which parts of the program are treated otherwise: options and attributes become the
 * marks, rules and points of the wire.
 */
#ifndef HEDDLE_PROGRAM_PREEMPTION_POINTS_H
#define HEDDLE_PROGRAM_PREEMPTION_POINTS_H

#include "program/program.h"
#include "strategy/strategy.h"
#include "trace/race.h"

/* Finds the functions and variables that are marked, and reports what is excluded because of them.  RUN_OK, or
 * ERROR_USAGE or ERROR_FAIL with p->why. */
MUST_CHECK int points_find(struct program *p);

/* --preempt races: the accesses of races from number *learnt on become points; there are n of them, and *learnt counts them.
 * RUN_GREW: there are more points than before, so that what was explored does not count; RUN_OK, or below 0. */
MUST_CHECK int points_learn(struct program *p, const struct race *races, uint32_t n, uint32_t *learnt);

/* There is no room for all accesses that race: ERROR_FAIL. */
MUST_CHECK int points_too_many(struct program *p);

/* Is the access at this place of the code a point? */
bool points_has(const struct program *p, uint64_t site);

/* A measure of the points of the last run: a set has more than its parts. */
uint64_t points_many(const struct program *p);

/* The set of points of the next run goes into the wire; NULL: those of the exploration. */
void points_write(struct program *p, const struct point_set *set);

#endif
