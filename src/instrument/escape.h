/*
 * Memory that no other thread can reach.
 */
#ifndef HEDDLE_INSTRUMENT_ESCAPE_H
#define HEDDLE_INSTRUMENT_ESCAPE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/* What is known of the variables of one function: a hash table. */
struct escapes {
        struct escape {
                LLVMValueRef variable; /* NULL: free */
                bool private;
        } * slots;
        size_t n, max;
        bool lends; /* the address of one that counts as private is handed to a call, which announces what it does there */
};

/* Is what the pointer leads to a constant, or a variable of this frame whose address goes nowhere else?  Asked before
 * anything is inserted. */
bool escape_private(struct escapes *known, LLVMValueRef pointer);
void escape_fini(struct escapes *known);

#endif
