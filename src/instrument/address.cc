/* See address.h.  Optimisation may merge two branches and keep what was said of one: then the path has a bit more or less. */
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

extern "C" {
#include "instrument/address.h"
}

using namespace llvm;

static const unsigned most_steps = 4;
static const char kept[] = "heddle.address";

/* Is it an address as an integer, perhaps with a number added? */
static bool is_address(const Value *v, unsigned steps)
{
        const auto *sum = dyn_cast<BinaryOperator>(v);

        if (isa<PtrToIntInst>(v))
                return true;
        if (!sum || steps == 0 || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub))
                return false;
        return is_address(sum->getOperand(0), steps - 1) != is_address(sum->getOperand(1), steps - 1);
}

static bool is_decided(const Instruction &i)
{
        const auto *branch = dyn_cast<BranchInst>(&i);
        const auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;

        return compare && compare->isRelational() && is_address(compare->getOperand(0), most_steps) &&
               is_address(compare->getOperand(1), most_steps);
}

void address_keep(LLVMModuleRef module)
{
        for (Function &f : *unwrap(module))
                for (Instruction &i : instructions(f))
                        if (is_decided(i))
                                i.setMetadata(kept, MDNode::get(i.getContext(), {}));
}

bool address_decides(LLVMValueRef branch)
{
        const Instruction *i = unwrap<Instruction>(branch);

        return i->hasMetadata(kept) || is_decided(*i);
}
