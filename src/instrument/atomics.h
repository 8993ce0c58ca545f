/* The members of std::atomic and their like, at -O0. */
#ifndef HEDDLE_INSTRUMENT_ATOMICS_H
#define HEDDLE_INSTRUMENT_ATOMICS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Before clang's pipeline: their calls in functions that are not optimised become the atomic operation itself.  Was there any? */
bool atomics_expand(LLVMModuleRef module);

#endif
