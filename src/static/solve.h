/* From IR to what pointers may point to. */
#ifndef HEDDLE_STATIC_SOLVE_H
#define HEDDLE_STATIC_SOLVE_H

#include "static/program.h"

/* Reads the module and solves the constraints; limit: how much work. */
void solve_program(struct program *p, struct ir *ir, uint64_t limit);

#endif
