/*
 * Blocks of the heap are distinguished by the call that gets them.
 *
 * Programs wrap malloc: all their blocks come from one call.  A function *allocates* if it returns the result of a call that does,
 * or of malloc, perhaps some bytes behind its begin; each call of it gets a block of its own, which is also a value of the calls
 * inside.  The other pointers that the function may return, from memory or from its parameters, are the same for all its calls.
 */
#ifndef HEDDLE_STATIC_BLOCKS_H
#define HEDDLE_STATIC_BLOCKS_H

#include "static/program.h"

/* What the function returns; before the constraints of its instructions.  Results of calls are sources of blocks. */
void blocks_return(struct program *p, uint32_t function, LLVMValueRef v);
/* The node for what a call returns that is not a new block. */
uint32_t blocks_others(struct program *p, LLVMValueRef call);
/* Gives each call of functions that allocate its block.  true: constraints are to be solved again. */
bool blocks_divide(struct program *p);

#endif
