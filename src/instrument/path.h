/*
 * The path of a function (`heddle cc --record`): which way each of its branches goes.
 *
 * Marks are calls of __heddle_branch(value, bits), set in the common code before it is copied: so both bodies, the watched one
 * and the one that runs natively, announce the same bits in the same order.  A branch announces its condition, a switch the low
 * bits of its value, a call through a pointer goes to __heddle_branch_call.  Not announced are computed gotos, whose targets
 * differ between the bodies, functions that neither access memory nor call anything: their arguments decide their path;
 * branches of loops with a constant number of rounds, which the path before them decides; and branches that depend on the order
 * of two addresses as integers (address.h).
 */
#ifndef HEDDLE_INSTRUMENT_PATH_H
#define HEDDLE_INSTRUMENT_PATH_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Are paths wanted?  The plugin is loaded by another name then, since compiler caches know a plugin by its name alone. */
bool path_wanted(void);

/* Marks the branches of a function that is not copied yet. */
void path_mark(LLVMValueRef function);

/* In the body that runs natively: branches append their bits to the thread's word, and only a full word is a call. */
void path_expand(LLVMValueRef plain);

/* Is this function the mark of a branch or a switch, or one of the marks at all? */
bool path_is_branch(const char *callee);
bool path_is_mark(const char *callee);

#endif
