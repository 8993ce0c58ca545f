/*
 * Atomic operations and fences.
 */
#ifndef HEDDLE_INSTRUMENT_ATOMIC_H
#define HEDDLE_INSTRUMENT_ATOMIC_H

#include "instrument/pass.h"

/* Does the instruction concern other threads: a fence, or an access that is atomic? */
bool atomic_is(LLVMValueRef instruction);
void atomic_replace(struct pass *p, LLVMValueRef instruction);

#endif
