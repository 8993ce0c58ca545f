/* Functions with a meaning by their names. */
#ifndef HEDDLE_INSTRUMENT_NAMED_H
#define HEDDLE_INSTRUMENT_NAMED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Before optimisation: keeps them as they are.  Was there any? */
bool named_keep(LLVMModuleRef module);

#endif
