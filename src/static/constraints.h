/* The constraints of each instruction (points.h). */
#ifndef HEDDLE_STATIC_CONSTRAINTS_H
#define HEDDLE_STATIC_CONSTRAINTS_H

#include "static/program.h"

/* What a variable holds at first. */
void constraints_variable(struct program *p, LLVMValueRef variable);
void constraints_function(struct program *p, uint32_t function);

#endif
