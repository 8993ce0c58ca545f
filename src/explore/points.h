/*
 * Where threads may be preempted, and which parts of the program are treated otherwise: options and attributes become the
 * marks, rules and points of the wire.
 */
#ifndef HEDDLE_EXPLORE_POINTS_H
#define HEDDLE_EXPLORE_POINTS_H

#include "explore/session.h"

/* Finds the functions and variables that are marked, and tells what is left out because of them.  SESSION_OK, or
 * SESSION_USAGE or SESSION_FAIL with s->why. */
int points_find(struct session *s);

/* The set of points of the run that s->schedule describes goes into the wire. */
void points_write(struct session *s);

#endif
