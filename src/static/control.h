/*
 * Control dependence: J. Ferrante, K. Ottenstein, J. Warren: The program dependence graph and its use in optimization, 1987.
 *
 * A block depends on a branch if one way out of the branch always leads to it and another need not.  Post-dominators are found by
 * iteration: K. Cooper, T. Harvey, K. Kennedy: A simple, fast dominance algorithm, 2001.  A block from which no way leads out of
 * the function is taken as an end, so that loops without end have dependences, too.
 */
#ifndef HEDDLE_STATIC_CONTROL_H
#define HEDDLE_STATIC_CONTROL_H

#include <llvm-c/Core.h>

#include "base/vec.h"

struct control_edge {
        LLVMBasicBlockRef branch, block; /* whether `block` is executed depends on the last instruction of `branch` */
};

struct control {
        VEC(struct control_edge) edges;
};

/* The dependences of one function, in the order of its blocks. */
void control_init(struct control *c, LLVMValueRef function);
void control_fini(struct control *c);

#endif
