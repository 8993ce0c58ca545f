/* Small helpers over LLVM's C API. */
#include "instrument/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void pass_fail(const char *what)
{
        fprintf(stderr, "heddle: internal: the instrumenter failed: %s\n", what);
        exit(3);
}

LLVMValueRef pass_call(struct pass *p, const char *name, LLVMTypeRef result, LLVMValueRef *args, unsigned n)
{
        LLVMTypeRef types[8], type;
        LLVMValueRef f = LLVMGetNamedFunction(p->module, name);

        if (n > 8)
                pass_fail("a hook with too many arguments");
        for (unsigned i = 0; i < n; i++)
                types[i] = LLVMTypeOf(args[i]);
        type = LLVMFunctionType(result, types, n, 0);
        if (!f)
                f = LLVMAddFunction(p->module, name, type);
        else
                f = LLVMConstBitCast(f, LLVMPointerType(type, 0)); /* the program may have declared it otherwise */
        LLVMValueRef call = LLVMBuildCall2(p->builder, type, f, args, n, "");
        pass_keep_apart(call);
        return call;
}

LLVMValueRef pass_address(struct pass *p, LLVMValueRef pointer)
{
        return LLVMBuildBitCast(p->builder, pointer, p->pointer, "");
}

LLVMValueRef pass_number(struct pass *p, uint64_t n)
{
        return LLVMConstInt(p->i64, n, 0);
}

LLVMValueRef pass_slot(struct pass *p, LLVMTypeRef type, unsigned number)
{
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->function);
        LLVMBuilderRef b;
        struct slot *s;

        for (size_t i = 0; i < p->n_slots; i++)
                if (p->slots[i].type == type && p->slots[i].number == number)
                        return p->slots[i].variable;
        if (p->n_slots == p->max_slots) {
                p->max_slots = p->max_slots ? p->max_slots * 2 : 16;
                p->slots = realloc(p->slots, p->max_slots * sizeof *p->slots);
                if (!p->slots)
                        pass_fail("out of memory");
        }
        b = LLVMCreateBuilderInContext(p->context);
        LLVMPositionBuilder(b, entry, LLVMGetFirstInstruction(entry));
        s = &p->slots[p->n_slots++];
        *s = (struct slot){type, number, LLVMBuildAlloca(b, type, "")};
        LLVMDisposeBuilder(b);
        return s->variable;
}

bool pass_begins(const char *name, const char *with)
{
        return strncmp(name, with, strlen(with)) == 0;
}

LLVMValueRef pass_callee(LLVMValueRef call)
{
        return LLVMIsAFunction(LLVMGetCalledValue(call));
}

const char *pass_callee_name(LLVMValueRef call)
{
        LLVMValueRef f = pass_callee(call);
        size_t n;

        return f ? LLVMGetValueName2(f, &n) : "";
}

static unsigned kind(const char *name)
{
        return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void pass_keep_apart(LLVMValueRef call)
{
        LLVMContextRef c =
                LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))));

        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(c, kind("nomerge"), 0));
}

bool pass_has_attribute(LLVMValueRef function, unsigned index, const char *name)
{
        return kind(name) && LLVMGetEnumAttributeAtIndex(function, index, kind(name)) != NULL;
}

/* LLVM 16 has one attribute `memory` in place of `readnone` and others. */
bool pass_accesses_nothing(LLVMValueRef function)
{
        unsigned all = (unsigned)LLVMAttributeFunctionIndex, memory = kind("memory");
        LLVMAttributeRef a = memory ? LLVMGetEnumAttributeAtIndex(function, all, memory) : NULL;

        return a ? LLVMGetEnumAttributeValue(a) == 0 : pass_has_attribute(function, all, "readnone");
}

LLVMAttributeRef pass_call_attribute(LLVMValueRef call, unsigned index, const char *name)
{
        return LLVMGetCallSiteEnumAttribute(call, index, kind(name));
}
