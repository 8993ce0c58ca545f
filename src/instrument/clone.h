/*
 * The second, plain body of a function, which runs outside `heddle check`.
 *
 * __heddle_checked is a variable of the library that is loaded: 0 in the idle one (rt/plain), and in the runtime until it is set
 * up, which is before main and the constructors of the program, but after those of its libraries.
 * Plain bodies are in a section of their own, where heddle expects no hooks.
 */
#ifndef HEDDLE_INSTRUMENT_CLONE_H
#define HEDDLE_INSTRUMENT_CLONE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A copy of the function as it is now, or NULL: it cannot be copied. */
LLVMValueRef clone_plain(LLVMValueRef function);

/* Direct calls of the function in plain bodies lead to its own plain body at once, where that is safe. */
void clone_call(LLVMValueRef function, LLVMValueRef plain);

/* The function begins with a choice: outside `check` it continues in its plain body. */
void clone_dispatch(LLVMValueRef function, LLVMValueRef plain);

/*
 * Marks the instrumented body: 16 bytes before the first instruction say that all accesses of the function are announced, but, unless the
 * last byte is 1, those of its own variables that a call may access, too.  heddle does not search the code of a marked function for
 * hooks (binary/asm_scan.c).
 */
void clone_mark(LLVMValueRef function, bool all);

#endif
