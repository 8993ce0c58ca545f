/*
 * The IR that objects and programs have kept (`heddle cc --keep-ir`, instrument/keep.h), linked into one module.
 */
#ifndef HEDDLE_STATIC_IR_H
#define HEDDLE_STATIC_IR_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "base/error.h"
#include "static/name_set.h"
#include "static/whole.h"

struct ir {
        LLVMContextRef context;
        LLVMModuleRef module;
        LLVMTargetDataRef layout;
        bool program;              /* a linked program: what it calls and does not have comes from shared libraries */
        struct whole whole;        /* ... does it have code without IR? */
        struct name_set variables; /* all that the modules define, sorted: before linking, which renames */
};

/* Reads the files and links their modules.  0, or an error with one line for the user. */
int ir_read(struct ir *r, char **files, struct error *why);
void ir_fini(struct ir *r);

#endif
