/* The functions of --invariant and --final: found by their names. */
#ifndef HEDDLE_PROGRAM_INVARIANTS_H
#define HEDDLE_PROGRAM_INVARIANTS_H

#include "engine/session.h"

/* Tells the target their addresses.  SESSION_OK, or SESSION_USAGE with the reason in s->why. */
int watch_find(struct session *s);

/* A function did what it must not (WIRE_END_MISUSE): SESSION_USAGE, and s->why says what. */
int watch_misused(struct session *s);

#endif
