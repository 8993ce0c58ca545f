/*
 * The instrumenter: announces every access to memory of a module to the runtime.
 *
 * It is a program of its own, loaded into clang: heddle does not link LLVM.
 */
#ifndef HEDDLE_INSTRUMENT_INSTRUMENT_H
#define HEDDLE_INSTRUMENT_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Instruments the functions that clang marked (-fsanitize=thread) and takes the mark away.  Was there any? */
bool instrument_module(LLVMModuleRef module);

#endif
