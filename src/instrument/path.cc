/* See path.h: what is announced. */
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <cstring>
#include <dlfcn.h>

extern "C" {
#include "instrument/address.h"
#include "instrument/path.h"
}

using namespace llvm;

static const char branch_hook[] = "__heddle_branch", call_hook[] = "__heddle_branch_call";
static const unsigned few_cases = 256, bits_few = 8, bits_many = 16;

bool path_wanted(void)
{
        Dl_info info;

        return dladdr(reinterpret_cast<void *>(path_wanted), &info) && strstr(info.dli_fname, "/heddle-record.so");
}

bool path_is_branch(const char *callee)
{
        return strcmp(callee, branch_hook) == 0;
}

bool path_is_mark(const char *callee)
{
        return path_is_branch(callee) || strcmp(callee, call_hook) == 0;
}

/* Marks have the place of what they announce: every call in a function with debug information needs one. */
static void announce(Instruction *before, Value *value, unsigned bits)
{
        Module *m = before->getModule();
        IRBuilder<> b(before);
        FunctionCallee hook = m->getOrInsertFunction(branch_hook, b.getVoidTy(), b.getInt64Ty(), b.getInt32Ty());

        b.CreateCall(hook, {b.CreateZExtOrTrunc(value, b.getInt64Ty()), b.getInt32(bits)})->setDoesNotThrow();
}

static void announce_call(CallBase *call)
{
        IRBuilder<> b(call);
        FunctionCallee hook = call->getModule()->getOrInsertFunction(call_hook, b.getVoidTy(), b.getInt64Ty());

        b.CreateCall(hook, {b.CreatePtrToInt(call->getCalledOperand(), b.getInt64Ty())})->setDoesNotThrow();
}

static bool through_pointer(const CallBase &call)
{
        return !call.isInlineAsm() && !isa<Constant>(call.getCalledOperand()->stripPointerCasts());
}

/* Does the value count the rounds of a loop, from a constant on and by a constant? */
static bool counts_rounds(const Value *v)
{
        const auto *phi = dyn_cast<PHINode>(v);

        if (!phi || phi->getNumIncomingValues() != 2)
                return false;
        for (unsigned i = 0; i < 2; i++) {
                const auto *next = dyn_cast<BinaryOperator>(phi->getIncomingValue(i));
                if (isa<ConstantInt>(phi->getIncomingValue(1 - i)) && next && next->getOpcode() == Instruction::Add &&
                    next->getOperand(0) == phi && isa<ConstantInt>(next->getOperand(1)))
                        return true;
        }
        return false;
}

/* A branch that depends on nothing but the number of the round: the path before it decides where it goes. */
static bool is_decided(const Value *condition)
{
        const auto *compare = dyn_cast<ICmpInst>(condition);
        const Value *v = compare ? compare->getOperand(0) : nullptr;
        const auto *sum = v ? dyn_cast<BinaryOperator>(v) : nullptr;

        if (!compare || !isa<ConstantInt>(compare->getOperand(1)))
                return false;
        if (sum && sum->getOpcode() == Instruction::Add && isa<ConstantInt>(sum->getOperand(1)))
                v = sum->getOperand(0);
        return counts_rounds(v);
}

static bool is_announced(Instruction &i)
{
        auto *branch = dyn_cast<BranchInst>(&i);
        auto *call = dyn_cast<CallBase>(&i);

        if (branch)
                return branch->isConditional() && !isa<Constant>(branch->getCondition()) &&
                       !is_decided(branch->getCondition()) && !address_decides(wrap(&i));
        return isa<SwitchInst>(i) || (call && through_pointer(*call));
}

void path_mark(LLVMValueRef function)
{
        Function *f = unwrap<Function>(function);
        SmallVector<Instruction *, 64> found;

        for (Instruction &i : instructions(f))
                if (is_announced(i))
                        found.push_back(&i);
        for (Instruction *i : found) {
                if (auto *branch = dyn_cast<BranchInst>(i))
                        announce(i, branch->getCondition(), 1);
                else if (auto *choice = dyn_cast<SwitchInst>(i))
                        announce(i, choice->getCondition(), choice->getNumCases() < few_cases ? bits_few : bits_many);
                else
                        announce_call(cast<CallBase>(i));
        }
}
