/* From IR to what pointers may point to. */
#ifndef HEDDLE_STATIC_SOLVE_H
#define HEDDLE_STATIC_SOLVE_H

#include "static/program.h"

/* Reads the module and solves the constraints; called: names of functions that heddle calls, NULL at the end; limit: how much
 * work. */
void solve_program(struct program *p, struct ir *ir, char *const *called, uint64_t limit);

#endif
