/*
 * Loads, stores and copies.
 */
#ifndef HEDDLE_INSTRUMENT_ACCESS_H
#define HEDDLE_INSTRUMENT_ACCESS_H

#include "instrument/pass.h"

/* Instruments a load or a store that is not atomic. */
void access_plain(struct pass *p, LLVMValueRef instruction);

/* Is it a load or store that functions may compare by themselves (inline.h)? */
bool access_is_one(struct pass *p, LLVMValueRef instruction);

/* Instruments a call: memory intrinsics, arguments by value, functions that the compiler would replace. */
void access_call(struct pass *p, LLVMValueRef call);

#endif
