/*
 * See transaction.h.  A status that is only compared with _XBEGIN_STARTED shows one bit: did it begin?  Then it does not matter why
 * a transaction aborts.  The use of the value is followed through variables of the function whose address is not taken, and to the
 * callers of functions that return it; where it goes anywhere else, the runtime is to try several codes.
 */
#include "instrument/transaction.h"

#include <string.h>

#define DEPTH 32u

static const struct {
        const char *intrinsic, *call;
} calls[] = {{"llvm.x86.xbegin", "heddle_rt_xbegin"},
             {"llvm.x86.xend", "heddle_rt_xend"},
             {"llvm.x86.xabort", "heddle_rt_xabort"},
             {"llvm.x86.xtest", "heddle_rt_xtest"}};

static int index_of(LLVMValueRef call)
{
        const char *name = pass_callee_name(call);

        for (int i = 0; i < (int)(sizeof calls / sizeof *calls); i++)
                if (strcmp(name, calls[i].intrinsic) == 0)
                        return i;
        return -1;
}

bool transaction_is(LLVMValueRef call)
{
        return index_of(call) >= 0;
}

static bool tested(LLVMValueRef value, unsigned depth);

/* Is the constant _XBEGIN_STARTED? */
static bool is_started(LLVMValueRef v)
{
        return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == -1;
}

static bool compared(LLVMValueRef compare)
{
        LLVMIntPredicate how = LLVMGetICmpPredicate(compare);

        return (how == LLVMIntEQ || how == LLVMIntNE) &&
               (is_started(LLVMGetOperand(compare, 0)) || is_started(LLVMGetOperand(compare, 1)));
}

/* Is it only loaded and stored to?  Then so is what is loaded from it. */
static bool variable_tested(LLVMValueRef variable, unsigned depth)
{
        if (!LLVMIsAAllocaInst(variable))
                return true;
        for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
                LLVMValueRef user = LLVMGetUser(u);

                if (LLVMIsALoadInst(user) ? tested(user, depth)
                                          : !LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == variable)
                        return true;
        }
        return false;
}

/* A function that returns it: is it called from elsewhere, or is what it returns tested? */
static bool returned_tested(LLVMValueRef ret, unsigned depth)
{
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(ret));

        if (LLVMGetLinkage(f) != LLVMInternalLinkage && LLVMGetLinkage(f) != LLVMPrivateLinkage)
                return true;
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
                LLVMValueRef user = LLVMGetUser(u);

                if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f || tested(user, depth))
                        return true;
        }
        return false;
}

static bool use_tested(LLVMValueRef user, LLVMValueRef value, unsigned depth)
{
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMICmp: return !compared(user);
        case LLVMStore: return LLVMGetOperand(user, 0) != value || variable_tested(LLVMGetOperand(user, 1), depth);
        case LLVMRet: return returned_tested(user, depth);
        case LLVMPHI:
        case LLVMSelect:
        case LLVMFreeze: return tested(user, depth);
        default: return true;
        }
}

static bool tested(LLVMValueRef value, unsigned depth)
{
        if (depth == DEPTH)
                return true;
        for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
                LLVMValueRef user = LLVMGetUser(u);

                if (!LLVMIsAInstruction(user) || use_tested(user, value, depth + 1))
                        return true;
        }
        return false;
}

void transaction_replace(struct pass *p, LLVMValueRef call)
{
        int i = index_of(call);
        LLVMTypeRef result = LLVMTypeOf(call);
        LLVMValueRef arg = NULL, made;

        if (strcmp(calls[i].call, "heddle_rt_xbegin") == 0)
                arg = LLVMConstInt(p->i32, tested(call, 0), 0);
        else if (strcmp(calls[i].call, "heddle_rt_xabort") == 0)
                arg = LLVMBuildZExt(p->builder, LLVMGetOperand(call, 0), p->i32, "");
        made = pass_call(p, calls[i].call, result, &arg, arg != NULL);
        LLVMReplaceAllUsesWith(call, made);
        LLVMInstructionEraseFromParent(call);
}
