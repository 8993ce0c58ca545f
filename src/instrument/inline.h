/*
 * Accesses that instrumented code compares by itself.
 *
 * The common case is memory that the running thread owns: a load of the shadow word, a compare, and nothing else.  Any other
 * access calls the runtime (__heddle_access), which keeps general registers.  Accesses are counted ahead, once for those that
 * follow each other without a call in between.
 */
#ifndef HEDDLE_INSTRUMENT_INLINE_H
#define HEDDLE_INSTRUMENT_INLINE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/* May accesses of this function be compared by itself?  It must have a plain body, for calls before the runtime is there. */
bool inline_function(LLVMValueRef function);
/* Can a load or store of `size` bytes be? */
bool inline_access(unsigned long size);
/* Does so, for these accesses of the function, when all else of it is instrumented. */
void inline_insert(LLVMValueRef function, LLVMValueRef *accesses, size_t n);
/* Notes on the shadow call stack that the function begins and ends, when all else of it is instrumented. */
void inline_frame(LLVMValueRef function);

#endif
