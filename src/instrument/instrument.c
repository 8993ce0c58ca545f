/*
 * The walk over a module: of each function the instructions that access memory are collected first and instrumented then,
 * so that nothing sees what was inserted.
 */
#include "instrument/instrument.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/access.h"
#include "instrument/atomic.h"
#include "instrument/clone.h"
#include "instrument/escape.h"
#include "instrument/frame.h"
#include "instrument/inline.h"
#include "instrument/pass.h"
#include "instrument/path.h"
#include "instrument/transaction.h"
#include "instrument/vector.h"

struct todo {
        LLVMValueRef *instructions;
        size_t n, max;
        bool calls; /* the function calls something */
        bool lends; /* struct escapes */
};

/*
 * What optimisation has moved or merged has no line, and its hook must not get that of the instruction before it: it gets that of
 * the function, without a column.  Line 0 does not do: assemblers leave it out.
 */
static void give_place(LLVMValueRef i)
{
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
        LLVMMetadataRef scope = LLVMGetSubprogram(f), place = LLVMInstructionGetDebugLoc(i);

        if (scope && (!place || !LLVMDILocationGetLine(place)))
                LLVMInstructionSetDebugLoc(
                        i, LLVMDIBuilderCreateDebugLocation(LLVMGetModuleContext(LLVMGetGlobalParent(f)),
                                                            LLVMDISubprogramGetLine(scope), 0, scope, NULL));
}

static void add(struct todo *t, LLVMValueRef i)
{
        give_place(i);
        if (LLVMGetInstructionOpcode(i) == LLVMCall || LLVMGetInstructionOpcode(i) == LLVMInvoke)
                pass_keep_apart(i);
        if (t->n == t->max) {
                t->max = t->max ? t->max * 2 : 256;
                t->instructions = realloc(t->instructions, t->max * sizeof *t->instructions);
                if (!t->instructions)
                        pass_fail("out of memory");
        }
        t->instructions[t->n++] = i;
}

/* Memory that is not in the ordinary address space (%fs:, %gs:), and counters of coverage and profiles. */
static bool foreign(LLVMValueRef pointer)
{
        size_t n;

        if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0)
                return true;
        return LLVMIsAGlobalVariable(pointer) && (pass_begins(LLVMGetValueName2(pointer, &n), "__llvm_") ||
                                                  pass_begins(LLVMGetValueName2(pointer, &n), "__prof"));
}

static bool ignored(struct escapes *known, LLVMValueRef pointer)
{
        return foreign(pointer) || escape_private(known, pointer);
}

static bool is_copy(const char *name)
{
        return pass_begins(name, "llvm.memcpy.") || pass_begins(name, "llvm.memmove.");
}

static bool wanted_call(struct escapes *known, struct todo *t, LLVMValueRef call)
{
        const char *name = pass_callee_name(call);

        if (is_copy(name))
                return !ignored(known, LLVMGetOperand(call, 0)) || !ignored(known, LLVMGetOperand(call, 1));
        if (pass_begins(name, "llvm.memset."))
                return !ignored(known, LLVMGetOperand(call, 0));
        if (pass_begins(name, "llvm."))
                return vector_is(call) || transaction_is(call);
        if (path_is_mark(name))
                return false;
        t->calls = true;
        return true;
}

static void collect(struct escapes *known, struct todo *t, LLVMValueRef i)
{
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
                if (!ignored(known, LLVMGetOperand(i, 0)))
                        add(t, i);
                break;
        case LLVMStore:
                if (!ignored(known, LLVMGetOperand(i, 1)))
                        add(t, i);
                break;
        case LLVMCall:
        case LLVMInvoke:
                if (wanted_call(known, t, i))
                        add(t, i);
                break;
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: add(t, i); break;
        default: break;
        }
}

static void instrument(struct pass *p, LLVMValueRef i)
{
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

        if (atomic_is(i))
                atomic_replace(p, i);
        else if (opcode == LLVMCall || opcode == LLVMInvoke)
                access_call(p, i);
        else if (opcode == LLVMLoad || opcode == LLVMStore)
                access_plain(p, i);
}

/* Functions to instrument. */
struct bodies {
        struct body {
                LLVMValueRef function, plain; /* plain: the body that runs outside `check`, or NULL */
        } * at;
        size_t n, max;
};

static void collect_all(struct todo *t, LLVMValueRef f)
{
        struct escapes known = {0};

        t->n = 0;
        t->calls = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                        collect(&known, t, i);
        t->lends = known.lends;
        escape_fini(&known);
}

static void function(struct pass *p, struct todo *t, const struct body *body)
{
        bool own = body->plain && inline_function(body->function), any;
        size_t n = 0;

        p->function = body->function;
        p->n_slots = 0;
        collect_all(t, body->function);
        any = t->n || t->calls;
        for (size_t i = 0; i < t->n; i++)
                if (own && !atomic_is(t->instructions[i]) && access_is_one(p, t->instructions[i]))
                        t->instructions[n++] = t->instructions[i];
                else
                        instrument(p, t->instructions[i]);
        if (any)
                frame_announce(p, own);
        inline_insert(body->function, t->instructions, n);
        if (any && own)
                inline_frame(body->function);
        clone_mark(body->function, !t->lends);
        if (body->plain)
                clone_dispatch(body->function, body->plain);
}

/* With a body of its own, that may be changed. */
static bool may_change(LLVMValueRef f)
{
        unsigned all = (unsigned)LLVMAttributeFunctionIndex;

        return !LLVMIsDeclaration(f) && !pass_has_attribute(f, all, "naked") &&
               !pass_has_attribute(f, all, "disable_sanitizer_instrumentation") &&
               LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage;
}

/* Marked by clang. */
static bool marked(LLVMValueRef f)
{
        static const char thread[] = "sanitize_thread";
        unsigned all = (unsigned)LLVMAttributeFunctionIndex;
        bool is = pass_has_attribute(f, all, thread);

        LLVMRemoveEnumAttributeAtIndex(f, all, LLVMGetEnumAttributeKindForName(thread, strlen(thread)));
        return is;
}

/* Of functions that are not marked atomics are operations all the same: they synchronise the others. */
static void atomics_only(struct pass *p, LLVMValueRef f)
{
        p->function = f;
        p->n_slots = 0;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                        next = LLVMGetNextInstruction(i);
                        if (atomic_is(i))
                                atomic_replace(p, i);
                }
}

static void find(struct bodies *all, struct pass *p)
{
        for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
                bool is = marked(f);

                if (!may_change(f))
                        continue;
                if (!is) {
                        atomics_only(p, f);
                        continue;
                }
                if (all->n == all->max) {
                        all->max = all->max ? all->max * 2 : 64;
                        all->at = realloc(all->at, all->max * sizeof *all->at);
                        if (!all->at)
                                pass_fail("out of memory");
                }
                all->at[all->n++] = (struct body){f, NULL};
        }
}

/* Gives a plain body to each function that changes. */
static void copy(struct todo *t, struct bodies *all)
{
        bool paths = path_wanted();

        for (size_t i = 0; i < all->n; i++) {
                collect_all(t, all->at[i].function);
                if (!t->n && !t->calls)
                        continue;
                if (paths)
                        path_mark(all->at[i].function);
                all->at[i].plain = clone_plain(all->at[i].function);
                if (paths && all->at[i].plain)
                        path_expand(all->at[i].plain);
        }
        for (size_t i = 0; i < all->n; i++)
                if (all->at[i].plain)
                        clone_call(all->at[i].function, all->at[i].plain);
}

bool instrument_module(LLVMModuleRef module)
{
        LLVMContextRef c = LLVMGetModuleContext(module);
        LLVMTypeRef byte = LLVMInt8TypeInContext(c);
        struct pass p = {.module = module,
                         .context = c,
                         .layout = LLVMGetModuleDataLayout(module),
                         .builder = LLVMCreateBuilderInContext(c),
                         .void_type = LLVMVoidTypeInContext(c),
                         .byte = byte,
                         .pointer = LLVMPointerType(byte, 0),
                         .i32 = LLVMInt32TypeInContext(c),
                         .i64 = LLVMInt64TypeInContext(c)};
        struct todo t = {0};
        struct bodies all = {0};

        find(&all, &p);
        copy(&t, &all);
        for (size_t i = 0; i < all.n; i++)
                function(&p, &t, &all.at[i]);
        free(all.at);
        free(t.instructions);
        free(p.slots);
        LLVMDisposeBuilder(p.builder);
        return all.n > 0;
}
