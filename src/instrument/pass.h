/*
 * What the parts of the instrumenter share: one pass over one module.
 */
#ifndef HEDDLE_INSTRUMENT_PASS_H
#define HEDDLE_INSTRUMENT_PASS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A variable on the stack for what does not fit a register; one per type and function, since no use of it overlaps
 * another. */
struct slot {
        LLVMTypeRef type;
        unsigned number; /* tells slots of one type apart that are used together */
        LLVMValueRef variable;
};

struct pass {
        LLVMModuleRef module;
        LLVMContextRef context;
        LLVMTargetDataRef layout;
        LLVMBuilderRef builder; /* comes before the instruction that is being instrumented */
        LLVMTypeRef void_type, byte, pointer, i32, i64;
        LLVMValueRef function; /* that is being instrumented */
        struct slot *slots;    /* of this function */
        size_t n_slots, max_slots;
};

/* Ends clang with a message: there is no way to continue without a wrong result. */
_Noreturn void pass_fail(const char *what);

/* Calls a function of the runtime, which is declared if it is not. */
LLVMValueRef pass_call(struct pass *p, const char *name, LLVMTypeRef result, LLVMValueRef *args, unsigned n);
/* It is not made one with a call like it elsewhere: each has its place. */
void pass_keep_apart(LLVMValueRef call);

/* The pointer as one to bytes, as hooks take it. */
LLVMValueRef pass_address(struct pass *p, LLVMValueRef pointer);
LLVMValueRef pass_number(struct pass *p, uint64_t n);

/* A variable of this type in the frame of the function. */
LLVMValueRef pass_slot(struct pass *p, LLVMTypeRef type, unsigned number);

/* Does a name begin so? */
bool pass_begins(const char *name, const char *with);
/* The function that a call names, or NULL; and its name, or "". */
LLVMValueRef pass_callee(LLVMValueRef call);
const char *pass_callee_name(LLVMValueRef call);

/* The attribute of this name; the index is LLVM's: of the function, the result, or 1 + the argument. */
bool pass_has_attribute(LLVMValueRef function, unsigned index, const char *name);
/* Does the function say that it accesses no memory? */
bool pass_accesses_nothing(LLVMValueRef function);
LLVMAttributeRef pass_call_attribute(LLVMValueRef call, unsigned index, const char *name);

#endif
