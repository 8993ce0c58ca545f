/* The functions of --invariant and --final: found by their names. */
#ifndef HEDDLE_PROGRAM_INVARIANTS_H
#define HEDDLE_PROGRAM_INVARIANTS_H

#include "program/program.h"

/* Tells the target their addresses.  RUN_OK, or ERROR_USAGE with the reason in p->why. */
MUST_CHECK int watch_find(struct program *p);

/* A function did what it must not (WIRE_END_MISUSE): ERROR_USAGE, and p->why says what. */
MUST_CHECK int watch_misused(const struct program *p, const struct trace *t);

#endif
