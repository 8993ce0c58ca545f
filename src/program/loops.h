/* Loops whose rounds may have no effect: what the target found, with what is live there (wire/loop.h). */
#ifndef HEDDLE_PROGRAM_LOOPS_H
#define HEDDLE_PROGRAM_LOOPS_H

#include "program/program.h"

/* Reads that the target found to lead back to where they are made become known.  false: the table of what must be known is full. */
bool loops_learn_wasted(struct wire_down *d, const struct wire_up *up);
void loops_forget_wasted(struct wire_down *d);
/* One of wire_down.agreed, which another explorer has learnt.  false: the table is full. */
bool loops_agree(struct wire_down *d, uint64_t hash);

/* The target has ended an execution with WIRE_END_LOOP: the loop becomes known.  false: there is no room, or it is malformed. */
bool loops_learn(struct program *p);

#endif
