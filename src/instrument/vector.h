/*
 * Vector accesses under a mask, and intrinsics that access memory in ways of their own.
 */
#ifndef HEDDLE_INSTRUMENT_VECTOR_H
#define HEDDLE_INSTRUMENT_VECTOR_H

#include "instrument/pass.h"

/* Does this intrinsic access memory that must be announced, as far as its name and its pointers tell?  Memory intrinsics are
 * not asked about. */
bool vector_is(LLVMValueRef call);

/* Replaces it by a hook that does the same lane by lane, or announces that it is not covered. */
void vector_replace(struct pass *p, LLVMValueRef call);

#endif
