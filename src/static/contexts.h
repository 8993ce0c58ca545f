/*
 * Contexts: small functions are put into those that call them, so that each call has values and pointers of its own.  An access of
 * such a function is then several, all in one place of the source.
 */
#ifndef HEDDLE_STATIC_CONTEXTS_H
#define HEDDLE_STATIC_CONTEXTS_H

#include <llvm-c/Core.h>

void contexts_divide(LLVMModuleRef module);

#endif
