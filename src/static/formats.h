/* Formats of printf. */
#ifndef HEDDLE_STATIC_FORMATS_H
#define HEDDLE_STATIC_FORMATS_H

#include <llvm-c/Core.h>

/* The letter by which the format converts its k-th argument, from 0 on: s for text, others for numbers; 0: not known. */
char formats_conversion(LLVMValueRef format, unsigned k);

#endif
