/* See contexts.h.  What is chosen is bounded: the program at most doubles, or grows by GROWTH instructions. */
#include "static/contexts.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/ptrmap.h"
#include "static/program.h"

#define LARGEST 80u    /* instructions of a function, with those that are put into it */
#define GROWTH  20000u /* instructions */

struct candidate {
        LLVMValueRef function;
        uint32_t size;  /* instructions, with those that are put into it */
        uint32_t calls; /* of it, by name */
        bool fits;      /* it can be put into others */
        bool seen, done;
};

struct candidates {
        VEC(struct candidate) all;
        struct ptrmap of; /* function -> candidate + 1 */
};

static bool is_call(LLVMValueRef i)
{
        LLVMOpcode o = LLVMGetInstructionOpcode(i);

        return o == LLVMCall || o == LLVMInvoke || o == LLVMCallBr;
}

static bool has_attribute(LLVMValueRef f, const char *name)
{
        return LLVMGetEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex,
                                           LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

/* An argument by value is copied in the place of the call (out/places.c). */
static bool takes_copy(LLVMValueRef f)
{
        static const char name[] = "byval";
        unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

        for (unsigned i = 0; i < LLVMCountParams(f); i++)
                if (LLVMGetEnumAttributeAtIndex(f, i + 1, kind))
                        return true;
        return false;
}

/* A jump to a computed label and a function that returns twice stay where they are. */
static bool stays(LLVMValueRef i)
{
        LLVMValueRef callee = is_call(i) ? program_callee(i) : NULL;

        return LLVMGetInstructionOpcode(i) == LLVMIndirectBr || (callee && has_attribute(callee, "returns_twice"));
}

static struct candidate *find(struct candidates *c, LLVMValueRef function)
{
        uint32_t at = function ? program_index(&c->of, function) : UINT32_MAX;

        return at == UINT32_MAX ? NULL : &c->all.at[at];
}

static void note_call(struct candidates *c, LLVMValueRef call)
{
        struct candidate *callee = find(c, program_callee(call));

        if (callee)
                callee->calls++;
}

static void measure(struct candidates *c, struct candidate *is)
{
        LLVMTypeRef type = LLVMGlobalGetValueType(is->function);

        is->fits = !LLVMIsFunctionVarArg(type) && !takes_copy(is->function);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(is->function); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                        is->size++;
                        is->fits = is->fits && !stays(i);
                        if (is_call(i))
                                note_call(c, i);
                }
}

/* Callees first: the size of a function has what is put into it.  One that calls itself, through others or not, stays. */
static void choose(struct candidates *c, struct candidate *is)
{
        is->seen = true;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(is->function); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                        struct candidate *callee = is_call(i) ? find(c, program_callee(i)) : NULL;
                        if (!callee)
                                continue;
                        if (!callee->seen)
                                choose(c, callee);
                        if (!callee->done)
                                callee->fits = false;
                        is->size += callee->fits ? callee->size : 0;
                }
        is->fits = is->fits && is->size <= LARGEST;
        is->done = true;
}

static int by_size(const void *a, const void *b)
{
        const struct candidate *x = a, *y = b;

        return x->size < y->size ? -1 : x->size > y->size;
}

static void set(LLVMValueRef f, const char *attribute, bool on)
{
        unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)),
                 all = (unsigned)LLVMAttributeFunctionIndex;

        if (on)
                LLVMAddAttributeAtIndex(f, all,
                                        LLVMCreateEnumAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)), kind, 0));
        else
                LLVMRemoveEnumAttributeAtIndex(f, all, kind);
}

/* The smallest first, as long as there is room. */
static void mark_chosen(struct candidates *c)
{
        uint64_t total = 0, added = 0;

        qsort(c->all.at, c->all.n, sizeof *c->all.at, by_size);
        for (uint32_t i = 0; i < c->all.n; i++)
                total += c->all.at[i].size;
        for (uint32_t i = 0; i < c->all.n; i++) {
                const struct candidate *is = &c->all.at[i];
                if (!is->fits)
                        continue;
                added += (uint64_t)is->size * is->calls;
                if (added > (total > GROWTH ? total : GROWTH))
                        break;
                set(is->function, "noinline", false);
                set(is->function, "alwaysinline", true);
        }
}

void contexts_divide(LLVMModuleRef module)
{
        struct candidates c = {0};
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();

        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
                set(f, "alwaysinline", false);
                if (LLVMIsDeclaration(f))
                        continue;
                vec_need(&c.all, 1);
                *vec_push(&c.all) = (struct candidate){.function = f};
                program_insert(&c.of, f, c.all.n - 1);
        }
        for (uint32_t i = 0; i < c.all.n; i++)
                measure(&c, &c.all.at[i]);
        for (uint32_t i = 0; i < c.all.n; i++)
                if (!c.all.at[i].seen)
                        choose(&c, &c.all.at[i]);
        if (c.all.n)
                mark_chosen(&c);
        LLVMErrorRef failed = LLVMRunPasses(module, "always-inline,function(mem2reg)", NULL, options);
        if (failed)
                LLVMConsumeError(failed);
        LLVMDisposePassBuilderOptions(options);
        vec_fini(&c.all);
        ptrmap_fini(&c.of, NULL);
}
