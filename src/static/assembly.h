/* Inline assembly that uses symbols by their names. */
#ifndef HEDDLE_STATIC_ASSEMBLY_H
#define HEDDLE_STATIC_ASSEMBLY_H

#include "static/program.h"

/* Unknown code reaches all that the text names. */
void assembly_names(struct program *p, LLVMValueRef code);

#endif
