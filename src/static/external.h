/* Calls: of functions of the program, of those in calls.def, of intrinsics, and of all others. */
#ifndef HEDDLE_STATIC_EXTERNAL_H
#define HEDDLE_STATIC_EXTERNAL_H

#include "instrument/escape.h"
#include "static/program.h"

/* The constraints and accesses of a call in function f. */
void external_call(struct program *p, struct escapes *known, struct function *f, LLVMValueRef call);
/* Adds an access; `private` is found here. */
void external_access(struct program *p, struct escapes *known, struct access a);
/* A call reaches a function, or unknown code: an object of the points-to analysis.  call is UINT32_MAX: it has escaped. */
void external_called(void *program, uint32_t call, uint32_t object);
/* How many of the operands are arguments. */
unsigned external_arguments(LLVMValueRef call);

#endif
