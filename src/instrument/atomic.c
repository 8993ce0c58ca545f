/*
 * Atomic operations and fences: the hook is the operation, with the names and the numbers of memory orders of
 * ThreadSanitizer's interface.
 */
#include "instrument/atomic.h"

#include <stdio.h>
#include <string.h>

static LLVMValueRef order(struct pass *p, LLVMAtomicOrdering o)
{
        unsigned n = 0;

        switch (o) {
        case LLVMAtomicOrderingAcquire: n = __ATOMIC_ACQUIRE; break;
        case LLVMAtomicOrderingRelease: n = __ATOMIC_RELEASE; break;
        case LLVMAtomicOrderingAcquireRelease: n = __ATOMIC_ACQ_REL; break;
        case LLVMAtomicOrderingSequentiallyConsistent: n = __ATOMIC_SEQ_CST; break;
        default: n = __ATOMIC_RELAXED;
        }
        return LLVMConstInt(p->i32, n, 0);
}

bool atomic_is(LLVMValueRef i)
{
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMFence: return true;
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: return !LLVMIsAtomicSingleThread(i);
        case LLVMLoad:
        case LLVMStore: return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic && !LLVMIsAtomicSingleThread(i);
        default: return false;
        }
}

/* The C API does not tell the order of a fence; its text does. */
static void fence(struct pass *p, LLVMValueRef i)
{
        static const struct {
                const char *word;
                LLVMAtomicOrdering order;
        } orders[] = {{" seq_cst", LLVMAtomicOrderingSequentiallyConsistent},
                      {" acq_rel", LLVMAtomicOrderingAcquireRelease},
                      {" acquire", LLVMAtomicOrderingAcquire},
                      {" release", LLVMAtomicOrderingRelease}};
        LLVMAtomicOrdering found = LLVMAtomicOrderingSequentiallyConsistent;
        char *text = LLVMPrintValueToString(i);
        bool one_thread = strstr(text, "syncscope(\"singlethread\")") != NULL;

        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
                if (strstr(text, orders[k].word)) {
                        found = orders[k].order;
                        break;
                }
        LLVMDisposeMessage(text);
        LLVMValueRef args[] = {order(p, found)};
        pass_call(p, one_thread ? "__tsan_atomic_signal_fence" : "__tsan_atomic_thread_fence", p->void_type, args, 1);
        LLVMInstructionEraseFromParent(i);
}

/* Hooks take integers. */
static LLVMValueRef to_integer(struct pass *p, LLVMValueRef v, LLVMTypeRef integer)
{
        switch (LLVMGetTypeKind(LLVMTypeOf(v))) {
        case LLVMIntegerTypeKind: return LLVMBuildZExtOrBitCast(p->builder, v, integer, "");
        case LLVMPointerTypeKind: return LLVMBuildPtrToInt(p->builder, v, integer, "");
        default: return LLVMBuildBitCast(p->builder, v, integer, "");
        }
}

static LLVMValueRef from_integer(struct pass *p, LLVMValueRef v, LLVMTypeRef type)
{
        switch (LLVMGetTypeKind(type)) {
        case LLVMIntegerTypeKind: return LLVMBuildTruncOrBitCast(p->builder, v, type, "");
        case LLVMPointerTypeKind: return LLVMBuildIntToPtr(p->builder, v, type, "");
        default: return LLVMBuildBitCast(p->builder, v, type, "");
        }
}

/* The call of __tsan_atomicBITS_name. */
static LLVMValueRef hook(struct pass *p, uint64_t bits, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                         unsigned n)
{
        char whole[64];

        snprintf(whole, sizeof whole, "__tsan_atomic%u_%s", (unsigned)bits, name);
        return pass_call(p, whole, result, args, n);
}

/* Updates that the interface does not have are announced as one that changes nothing; no switch comes before the
 * instruction itself. */
static const char *update_name(LLVMValueRef i)
{
        switch (LLVMGetAtomicRMWBinOp(i)) {
        case LLVMAtomicRMWBinOpXchg: return "exchange";
        case LLVMAtomicRMWBinOpAdd: return "fetch_add";
        case LLVMAtomicRMWBinOpSub: return "fetch_sub";
        case LLVMAtomicRMWBinOpAnd: return "fetch_and";
        case LLVMAtomicRMWBinOpNand: return "fetch_nand";
        case LLVMAtomicRMWBinOpOr: return "fetch_or";
        case LLVMAtomicRMWBinOpXor: return "fetch_xor";
        default: return NULL;
        }
}

static LLVMValueRef compare_exchange(struct pass *p, LLVMValueRef i, LLVMTypeRef integer, uint64_t bits)
{
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
        LLVMValueRef wanted = to_integer(p, LLVMGetOperand(i, 1), integer);
        LLVMValueRef args[] = {pass_address(p, LLVMGetOperand(i, 0)), wanted,
                               to_integer(p, LLVMGetOperand(i, 2), integer), order(p, LLVMGetCmpXchgSuccessOrdering(i)),
                               order(p, LLVMGetCmpXchgFailureOrdering(i))};
        LLVMValueRef old = hook(p, bits, "compare_exchange_val", integer, args, 5);
        LLVMValueRef same = LLVMBuildICmp(p->builder, LLVMIntEQ, old, wanted, "");
        LLVMValueRef both =
                LLVMBuildInsertValue(p->builder, LLVMGetUndef(LLVMTypeOf(i)), from_integer(p, old, type), 0, "");

        return LLVMBuildInsertValue(p->builder, both, same, 1, "");
}

void atomic_replace(struct pass *p, LLVMValueRef i)
{
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        LLVMValueRef pointer, value, result = NULL;
        LLVMTypeRef type, integer;
        uint64_t bits;

        LLVMPositionBuilderBefore(p->builder, i);
        if (opcode == LLVMFence) {
                fence(p, i);
                return;
        }
        value = opcode == LLVMLoad ? i : LLVMGetOperand(i, opcode == LLVMStore ? 0 : 1);
        type = LLVMTypeOf(value);
        bits = LLVMStoreSizeOfType(p->layout, type) * 8;
        integer = LLVMIntTypeInContext(p->context, (unsigned)bits);
        pointer = pass_address(p, LLVMGetOperand(i, opcode == LLVMStore ? 1 : 0));
        if (opcode == LLVMLoad) {
                LLVMValueRef args[] = {pointer, order(p, LLVMGetOrdering(i))};
                result = from_integer(p, hook(p, bits, "load", integer, args, 2), type);
        } else if (opcode == LLVMStore) {
                LLVMValueRef args[] = {pointer, to_integer(p, value, integer), order(p, LLVMGetOrdering(i))};
                hook(p, bits, "store", p->void_type, args, 3);
        } else if (opcode == LLVMAtomicCmpXchg) {
                result = compare_exchange(p, i, integer, bits);
        } else {
                const char *name = update_name(i);
                LLVMValueRef args[] = {pointer, name ? to_integer(p, value, integer) : LLVMConstInt(integer, 0, 0),
                                       order(p, LLVMGetOrdering(i))};
                result = from_integer(p, hook(p, bits, name ? name : "fetch_add", integer, args, 3), type);
                if (!name)
                        return;
        }
        if (result)
                LLVMReplaceAllUsesWith(i, result);
        LLVMInstructionEraseFromParent(i);
}
