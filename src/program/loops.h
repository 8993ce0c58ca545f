/* Loops whose rounds may have no effect: what the target found, with what is live there (wire/loop.h). */
#ifndef HEDDLE_PROGRAM_LOOPS_H
#define HEDDLE_PROGRAM_LOOPS_H

#include "program/program.h"

/* The target has ended an execution with WIRE_END_LOOP: the loop becomes known.  false: there is no room, or it is malformed. */
bool loops_learn(struct program *p);

#endif
