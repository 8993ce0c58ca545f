/* See program.h. */
#include "static/program.h"

#include <string.h>

#include "instrument/pass.h"

uint32_t program_index(const struct ptrmap *m, LLVMValueRef v)
{
        uintptr_t found = (uintptr_t)ptrmap_find(m, (uintptr_t)v);

        return found ? (uint32_t)(found - 1) : UINT32_MAX;
}

void program_insert(struct ptrmap *m, LLVMValueRef v, uint32_t index)
{
        if (ptrmap_insert(m, (uintptr_t)v, (void *)((uintptr_t)index + 1)))
                memory_out();
}

LLVMValueRef program_callee(LLVMValueRef call)
{
        LLVMValueRef v = LLVMGetCalledValue(call);

        while (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMBitCast)
                v = LLVMGetOperand(v, 0);
        while (LLVMIsAGlobalAlias(v))
                v = LLVMAliasGetAliasee(v);
        return LLVMIsAFunction(v);
}

const char *program_callee_name(LLVMValueRef call)
{
        LLVMValueRef f = program_callee(call);
        size_t n;

        return f ? LLVMGetValueName2(f, &n) : "";
}

void program_reach(struct program *p, uint32_t function)
{
        if (p->all.at[function].reached)
                return;
        p->all.at[function].reached = true;
        vec_need(&p->reached, 1);
        *vec_push(&p->reached) = function;
}

bool program_is_marker(const char *name)
{
        static const char *const names[] = {"llvm.dbg.",
                                            "llvm.lifetime.",
                                            "llvm.assume",
                                            "llvm.donothing",
                                            "llvm.stacksave",
                                            "llvm.stackrestore",
                                            "llvm.invariant.",
                                            "llvm.prefetch",
                                            "llvm.trap",
                                            "llvm.debugtrap",
                                            "llvm.ubsantrap",
                                            "llvm.va_end",
                                            "llvm.experimental.noalias",
                                            "llvm.eh.typeid",
                                            "llvm.sideeffect",
                                            "llvm.var.annotation"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (pass_begins(name, names[i]))
                        return true;
        return false;
}

bool program_is_pure(LLVMValueRef function)
{
        return pass_accesses_nothing(function);
}

void program_fini(struct program *p)
{
        for (uint32_t i = 0; i < p->all.n; i++) {
                vec_fini(&p->all.at[i].returns);
                vec_fini(&p->all.at[i].callers);
                vec_fini(&p->all.at[i].sources);
                vec_fini(&p->all.at[i].offsets);
        }
        for (uint32_t i = 0; i < p->each_call.n; i++)
                vec_fini(&p->each_call.at[i].callees);
        vec_fini(&p->all);
        vec_fini(&p->reached);
        vec_fini(&p->each_call);
        vec_fini(&p->accesses);
        ptrmap_fini(&p->nodes, NULL);
        ptrmap_fini(&p->objects, NULL);
        ptrmap_fini(&p->functions, NULL);
        ptrmap_fini(&p->calls, NULL);
        ptrmap_fini(&p->others, NULL);
        points_fini(&p->points);
}
