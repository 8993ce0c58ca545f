/*
 * Functions of the instrumenter are marked: 16 bytes before the first instruction say that all accesses of the function are
 * announced, but, unless the last byte is 1, those of its own variables that a call may access, too.  heddle does not search the code of a marked function for hooks (binary/asm_scan.c).
 */
#ifndef HEDDLE_INSTRUMENT_MARK_H
#define HEDDLE_INSTRUMENT_MARK_H

#include <llvm-c/Core.h>
#include <stdbool.h>

void mark_instrumented(LLVMValueRef function, bool all);

#endif
