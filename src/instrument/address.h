/*
 * Branches that depend on the order of two addresses as integers (`heddle cc --record`).  Blocks of memory lie in another order when
 * the program is watched, so such a branch is not part of a path.
 *
 * The order of two pointers is one, since C defines it within one object only.  A hash of an address cannot be told from arithmetic
 * on a number that was passed as a pointer, and is one as well.
 */
#ifndef HEDDLE_INSTRUMENT_ADDRESS_H
#define HEDDLE_INSTRUMENT_ADDRESS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Before optimisation, which makes comparisons of pointers out of those of integers: keeps which branches they decide. */
void address_keep(LLVMModuleRef module);

/* After it: does such an order decide where this branch goes? */
bool address_decides(LLVMValueRef branch);

#endif
