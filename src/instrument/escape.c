/*
 * A pointer is followed to the variable that it points into, and the uses of that variable from there: the address goes
 * nowhere else if it is only loaded from, stored through, compared with null, and handed to calls that do not keep it.
 * Where a walk becomes long the answer is "it escapes", which costs an announcement.
 */
#include "instrument/escape.h"

#include <stdint.h>
#include <stdlib.h>

#include "instrument/pass.h"

#define MAX_USES 256

/* The object that a pointer points into, as far as it is plain to see. */
static LLVMValueRef base(LLVMValueRef v)
{
        for (int i = 0; i < 32; i++) {
                if (LLVMIsAGetElementPtrInst(v) || LLVMIsABitCastInst(v) || LLVMIsAAddrSpaceCastInst(v))
                        v = LLVMGetOperand(v, 0);
                else if (LLVMIsAConstantExpr(v) &&
                         (LLVMGetConstOpcode(v) == LLVMGetElementPtr || LLVMGetConstOpcode(v) == LLVMBitCast))
                        v = LLVMGetOperand(v, 0);
                else
                        break;
        }
        return v;
}

struct walk {
        LLVMValueRef seen[MAX_USES]; /* values whose uses were followed, or are to be */
        unsigned n;
        bool lends;
};

static bool follow(struct walk *w, LLVMValueRef v)
{
        for (unsigned i = 0; i < w->n; i++)
                if (w->seen[i] == v)
                        return true;
        if (w->n == MAX_USES)
                return false;
        w->seen[w->n++] = v;
        return true;
}

/* Intrinsics that only describe a variable, or access it here and now. */
static bool harmless(const char *name)
{
        static const char *const begins[] = {"llvm.dbg.",    "llvm.lifetime.", "llvm.memcpy.",    "llvm.memmove.",
                                             "llvm.memset.", "llvm.assume",    "llvm.invariant.", "llvm.va_"};

        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
                if (pass_begins(name, begins[i]))
                        return true;
        return false;
}

static bool kept_by_call(struct walk *w, LLVMValueRef call, LLVMValueRef v)
{
        LLVMValueRef callee = pass_callee(call);
        unsigned n = LLVMGetNumArgOperands(call);

        if (harmless(pass_callee_name(call)))
                return false;
        if (LLVMGetCalledValue(call) == v)
                return true;
        w->lends = true;
        for (unsigned i = 0; i < n; i++) {
                if (LLVMGetOperand(call, i) != v)
                        continue;
                if (!pass_call_attribute(call, i + 1, "byval") && !pass_call_attribute(call, i + 1, "nocapture") &&
                    !(callee && i < LLVMCountParams(callee) && pass_has_attribute(callee, i + 1, "nocapture")))
                        return true;
        }
        return (unsigned)LLVMGetNumOperands(call) > n + 1 && !LLVMIsAInvokeInst(call); /* operand bundles */
}

/* Does this use let the address of `v` go anywhere? */
static bool lets_go(struct walk *w, LLVMValueRef user, LLVMValueRef v)
{
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMLoad: return LLVMGetVolatile(user);
        case LLVMStore: return LLVMGetOperand(user, 0) == v || LLVMGetVolatile(user);
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: return true;
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
        case LLVMPHI:
        case LLVMSelect: return !follow(w, user);
        case LLVMICmp: return !LLVMIsAConstantPointerNull(LLVMGetOperand(user, 1));
        case LLVMCall:
        case LLVMInvoke: return kept_by_call(w, user, v);
        default: return true;
        }
}

static bool goes_nowhere(struct escapes *known, LLVMValueRef variable)
{
        struct walk w = {{variable}, 1, false};

        for (unsigned i = 0; i < w.n; i++)
                for (LLVMUseRef u = LLVMGetFirstUse(w.seen[i]); u; u = LLVMGetNextUse(u))
                        if (!LLVMIsAInstruction(LLVMGetUser(u)) || lets_go(&w, LLVMGetUser(u), w.seen[i]))
                                return false;
        known->lends |= w.lends;
        return true;
}

static struct escape *find(struct escapes *k, LLVMValueRef variable)
{
        size_t i = ((uintptr_t)variable >> 4) * (size_t)0x9e3779b97f4a7c15u & (k->max - 1);

        while (k->slots[i].variable && k->slots[i].variable != variable)
                i = (i + 1) & (k->max - 1);
        return &k->slots[i];
}

static void grow(struct escapes *k)
{
        struct escapes more = {.n = k->n, .max = k->max ? k->max * 2 : 64, .lends = k->lends};

        more.slots = calloc(more.max, sizeof *more.slots);
        if (!more.slots)
                pass_fail("out of memory");
        for (size_t i = 0; i < k->max; i++)
                if (k->slots[i].variable)
                        *find(&more, k->slots[i].variable) = k->slots[i];
        free(k->slots);
        *k = more;
}

bool escape_private(struct escapes *known, LLVMValueRef pointer)
{
        LLVMValueRef v = base(pointer);
        struct escape *e;

        if (LLVMIsAGlobalVariable(v))
                return LLVMIsGlobalConstant(v);
        if (!LLVMIsAAllocaInst(v))
                return false;
        if (known->n * 2 >= known->max)
                grow(known);
        e = find(known, v);
        if (!e->variable) {
                *e = (struct escape){v, goes_nowhere(known, v)};
                known->n++;
        }
        return e->private;
}

void escape_fini(struct escapes *known)
{
        free(known->slots);
}
