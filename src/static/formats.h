/* Formats of printf. */
#ifndef HEDDLE_STATIC_FORMATS_H
#define HEDDLE_STATIC_FORMATS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Does the format convert its k-th argument, from 0 on, with %s?  false: not so, or it is not a constant. */
bool formats_text(LLVMValueRef format, unsigned k);

#endif
