/* Inline assembly that uses symbols by their names. */
#ifndef HEDDLE_STATIC_ASSEMBLY_H
#define HEDDLE_STATIC_ASSEMBLY_H

#include "static/program.h"

/* Unknown code reaches all that the text names. */
void assembly_names(struct program *p, LLVMValueRef code);
/* May it look at the flags of floating-point operations, or make them trap? */
bool assembly_sees_environment(LLVMValueRef code);

#endif
