/*
 * Loads, stores and copies.
 *
 * An access of 1, 2, 4 or 8 bytes is one instruction: a hook announces it, and the instruction follows at once.  The hooks of
 * 16 bytes, and of accesses that need not be aligned, tear what crosses a boundary of 8 bytes.  Any other access is several steps,
 * so the instruction itself is replaced: a load becomes a copy into a variable of the frame and a load from there, a store
 * the reverse.  The copy is the runtime's (memcpy), which does it word by word and lets other threads run in between.  An
 * argument by value is copied in the same way before the call.
 */
#include "instrument/access.h"

#include <stdio.h>
#include <string.h>

#include "instrument/inline.h"
#include "instrument/transaction.h"
#include "instrument/vector.h"

static void copy(struct pass *p, LLVMValueRef to, LLVMValueRef from, uint64_t size)
{
        LLVMValueRef args[] = {pass_address(p, to), pass_address(p, from), pass_number(p, size)};

        pass_call(p, "memcpy", p->pointer, args, 3);
}

static bool has_hook(uint64_t size)
{
        return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static void announce(struct pass *p, const char *what, LLVMValueRef pointer, uint64_t size, uint64_t align)
{
        LLVMValueRef args[] = {pass_address(p, pointer)};
        char name[32];

        snprintf(name, sizeof name, "__tsan_%s%s%u", align < size ? "unaligned_" : "", what, (unsigned)size);
        pass_call(p, name, p->void_type, args, 1);
}

/* The name of the type that clang's aliasing metadata gives to an access, or "". */
static const char *alias_type(struct pass *p, LLVMValueRef access, unsigned *length)
{
        LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(p->context, "tbaa", 4)), parts[4], type[8];
        const char *name;

        *length = 0;
        if (!tag || LLVMGetMDNodeNumOperands(tag) < 3 || LLVMGetMDNodeNumOperands(tag) > 4)
                return "";
        LLVMGetMDNodeOperands(tag, parts);
        if (!parts[1] || !LLVMIsAMDNode(parts[1]) || LLVMGetMDNodeNumOperands(parts[1]) > 8 ||
            LLVMGetMDNodeNumOperands(parts[1]) < 1)
                return "";
        LLVMGetMDNodeOperands(parts[1], type);
        name = type[0] ? LLVMGetMDString(type[0], length) : NULL;
        return name ? name : "";
}

static bool is_store_of_table(struct pass *p, LLVMValueRef store)
{
        static const char table[] = "vtable pointer";
        unsigned n;
        const char *name = alias_type(p, store, &n);

        return n == strlen(table) && memcmp(name, table, n) == 0 &&
               LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(store, 0))) == LLVMPointerTypeKind;
}

/* A constructor stores the pointer to its table again where the object has it already; the hook knows. */
static bool store_of_table(struct pass *p, LLVMValueRef store)
{
        LLVMValueRef value = LLVMGetOperand(store, 0);

        if (!is_store_of_table(p, store))
                return false;
        LLVMValueRef args[] = {pass_address(p, LLVMGetOperand(store, 1)), pass_address(p, value)};
        pass_call(p, "__tsan_vptr_update", p->void_type, args, 2);
        return true;
}

static void load(struct pass *p, LLVMValueRef i)
{
        LLVMTypeRef type = LLVMTypeOf(i);
        LLVMValueRef from = LLVMGetOperand(i, 0), variable, value;
        uint64_t size = LLVMStoreSizeOfType(p->layout, type);

        LLVMPositionBuilderBefore(p->builder, i);
        if (has_hook(size)) {
                announce(p, "read", from, size, LLVMGetAlignment(i));
                return;
        }
        variable = pass_slot(p, type, 0);
        copy(p, variable, from, size);
        value = LLVMBuildLoad2(p->builder, type, variable, "");
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
}

static void store(struct pass *p, LLVMValueRef i)
{
        LLVMValueRef value = LLVMGetOperand(i, 0), to = LLVMGetOperand(i, 1), variable;
        LLVMTypeRef type = LLVMTypeOf(value);
        uint64_t size = LLVMStoreSizeOfType(p->layout, type);

        LLVMPositionBuilderBefore(p->builder, i);
        if (has_hook(size)) {
                if (!store_of_table(p, i))
                        announce(p, "write", to, size, LLVMGetAlignment(i));
                return;
        }
        variable = pass_slot(p, type, 0);
        LLVMBuildStore(p->builder, value, variable);
        copy(p, to, variable, size);
        LLVMInstructionEraseFromParent(i);
}

bool access_is_one(struct pass *p, LLVMValueRef instruction)
{
        if (LLVMIsALoadInst(instruction))
                return inline_access(LLVMStoreSizeOfType(p->layout, LLVMTypeOf(instruction)));
        return LLVMIsAStoreInst(instruction) && !is_store_of_table(p, instruction) &&
               inline_access(LLVMStoreSizeOfType(p->layout, LLVMTypeOf(LLVMGetOperand(instruction, 0))));
}

void access_plain(struct pass *p, LLVMValueRef instruction)
{
        if (LLVMIsALoadInst(instruction))
                load(p, instruction);
        else
                store(p, instruction);
}

/* A memory intrinsic becomes the call of the function that the runtime replaces. */
static bool memory_intrinsic(struct pass *p, LLVMValueRef call)
{
        static const struct {
                const char *begins, *function;
        } known[] = {{"llvm.memcpy.", "memcpy"}, {"llvm.memmove.", "memmove"}, {"llvm.memset.", "memset"}};
        const char *name = pass_callee_name(call);

        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
                if (!pass_begins(name, known[i].begins))
                        continue;
                LLVMValueRef args[3] = {pass_address(p, LLVMGetOperand(call, 0)), LLVMGetOperand(call, 1),
                                        LLVMBuildIntCast2(p->builder, LLVMGetOperand(call, 2), p->i64, 0, "")};
                if (i == 2)
                        args[1] = LLVMBuildIntCast2(p->builder, args[1], p->i32, 0, "");
                else
                        args[1] = pass_address(p, args[1]);
                pass_call(p, known[i].function, p->pointer, args, 3);
                LLVMInstructionEraseFromParent(call);
                return true;
        }
        return false;
}

/* Functions that code generation replaces by instructions that are not announced. */
static void keep_call(struct pass *p, LLVMValueRef call)
{
        static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp",  "bcmp",    "memchr",  "mempcpy",
                                            "strcpy", "stpcpy",  "strcmp", "strlen",  "strnlen", "strncmp", "memccpy",
                                            "strchr", "strrchr", "strcat", "strncpy", "bzero",   "bcopy"};
        const char *name = pass_callee_name(call);
        static const char attribute[] = "nobuiltin";

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (strcmp(name, names[i]) == 0)
                        LLVMAddCallSiteAttribute(
                                call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(
                                        p->context, LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)), 0));
}

void access_call(struct pass *p, LLVMValueRef call)
{
        unsigned n = LLVMGetNumArgOperands(call);

        LLVMPositionBuilderBefore(p->builder, call);
        if (memory_intrinsic(p, call))
                return;
        if (transaction_is(call)) {
                transaction_replace(p, call);
                return;
        }
        if (vector_is(call)) {
                vector_replace(p, call);
                return;
        }
        keep_call(p, call);
        for (unsigned i = 0; i < n; i++) {
                LLVMAttributeRef byval = pass_call_attribute(call, i + 1, "byval");
                if (!byval)
                        continue;
                LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
                LLVMValueRef variable = pass_slot(p, type, i);
                copy(p, variable, LLVMGetOperand(call, i), LLVMStoreSizeOfType(p->layout, type));
                LLVMSetOperand(call, i, variable);
        }
}
