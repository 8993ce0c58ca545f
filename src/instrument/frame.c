/*
 * The shadow call stack.
 *
 * A function announces that it begins and, before each return, that it ends, unless it notes that itself (inline.h).  A frame that an exception or a longjmp leaves
 * announces nothing: the function that continues says so (__heddle_unwound), at a landing pad or behind the call that
 * returned a second time, and the runtime drops the frames below it.
 */
#include "instrument/frame.h"

#include <string.h>

static bool is_tail_call_that_must_be(LLVMValueRef i)
{
        char *text;
        bool must;

        if (!i || !LLVMIsACallInst(i))
                return false;
        text = LLVMPrintValueToString(i);
        must = strstr(text, "musttail call") != NULL;
        LLVMDisposeMessage(text);
        return must;
}

static void ends(struct pass *p, LLVMValueRef ret)
{
        LLVMValueRef before = LLVMGetPreviousInstruction(ret);

        if (before && LLVMIsABitCastInst(before))
                before = LLVMGetPreviousInstruction(before);
        LLVMPositionBuilderBefore(p->builder, is_tail_call_that_must_be(before) ? before : ret);
        pass_call(p, "__tsan_func_exit", p->void_type, NULL, 0);
}

static void unwound(struct pass *p, LLVMValueRef behind)
{
        LLVMValueRef next = LLVMGetNextInstruction(behind);

        if (!next)
                return;
        LLVMPositionBuilderBefore(p->builder, next);
        pass_call(p, "__heddle_unwound", p->void_type, NULL, 0);
}

static bool returns_twice(LLVMValueRef call)
{
        LLVMValueRef f = pass_callee(call);

        return pass_call_attribute(call, (unsigned)LLVMAttributeFunctionIndex, "returns_twice") ||
               (f && pass_has_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "returns_twice"));
}

static void begins(struct pass *p)
{
        LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
        LLVMValueRef level = LLVMConstInt(p->i32, 0, 0), from;

        while (LLVMIsAAllocaInst(i))
                i = LLVMGetNextInstruction(i);
        LLVMPositionBuilderBefore(p->builder, i);
        from = pass_call(p, "llvm.returnaddress", p->pointer, &level, 1);
        pass_call(p, "__tsan_func_entry", p->void_type, &from, 1);
}

void frame_announce(struct pass *p, bool itself)
{
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                        next = LLVMGetNextInstruction(i);
                        if (LLVMIsAReturnInst(i) && !itself)
                                ends(p, i);
                        else if (LLVMIsALandingPadInst(i) || (LLVMIsACallInst(i) && returns_twice(i)))
                                unwound(p, i);
                }
        if (!itself)
                begins(p);
}
