/*
 * At -O0 `a.load()` is a call of a member of std::atomic, which chooses by a jump table among the memory orders that it could
 * be called with, and locals that are handed over by reference escape.  What is live in a loop around it is then unknown to
 * whoever reads the machine code (binary/liveness.h), so that rounds of the loop look different.
 *
 * The functions of the library are expanded where they are called: the orders are constants there, so one operation is left.
 * No access of the program is changed.  Only what is a local of the library's function becomes a register.
 */
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cctype>
#include <cstdlib>

extern "C" {
#include "instrument/atomics.h"
}

using namespace llvm;

namespace {
const unsigned deepest = 8; /* calls of the library's functions by each other */

/* The first name inside std, or std::__1, of a mangled one; "": it is not in std. */
StringRef name_in_std(StringRef s)
{
        if (!s.consume_front("_Z"))
                return "";
        s.consume_front("N");
        s = s.ltrim("VK"); /* of members */
        if (!s.consume_front("St"))
                return "";
        s.consume_front("3__1");
        if (s.consume_front("an") || s.consume_front("or"))
                return s.startswith("St12memory_order") ? "memory_order" : "";
        size_t digits = s.find_first_not_of("0123456789");
        size_t n = strtoul(s.take_front(digits).str().c_str(), nullptr, 10);

        return digits == StringRef::npos ? "" : s.substr(digits, n);
}

bool is_library(const Function &f)
{
        static const char *const names[] = {"atomic",
                                            "atomic_flag",
                                            "atomic_ref",
                                            "__atomic_base",
                                            "__atomic_flag_base",
                                            "__atomic_float",
                                            "__atomic_ref",
                                            "__cmpexch_failure_order",
                                            "__cmpexch_failure_order2",
                                            "__is_valid_cmpexch_failure_order",
                                            "__addressof",
                                            "memory_order"};
        StringRef name = f.isDeclaration() ? "" : name_in_std(f.getName());

        for (const char *n : names)
                if (name == n)
                        return true;
        return name.startswith("atomic_") || name.startswith("__cxx_atomic_");
}

bool is_plain(const Function &f)
{
        return f.hasFnAttribute(Attribute::OptimizeNone);
}

/* Locals become registers, and what constants decide is decided. */
void simplify(Function &f)
{
        SmallVector<AllocaInst *, 16> locals;
        bool changed = true;

        while (changed) {
                DominatorTree tree(f);

                locals.clear();
                for (Instruction &i : f.getEntryBlock())
                        if (auto *local = dyn_cast<AllocaInst>(&i))
                                if (isAllocaPromotable(local))
                                        locals.push_back(local);
                if (!locals.empty())
                        PromoteMemToReg(locals, tree);
                changed = false;
                for (BasicBlock &b : f) {
                        changed |= SimplifyInstructionsInBlock(&b);
                        changed |= ConstantFoldTerminator(&b, true);
                }
                changed |= removeUnreachableBlocks(f);
        }
}

/* A copy of the function for a call with these constants, with its own calls expanded; NULL: it stays a call. */
Function *special(const CallBase &call, unsigned depth);

bool inlined(CallBase &call)
{
        InlineFunctionInfo info;

#if LLVM_VERSION_MAJOR < 16
        return InlineFunction(call, info, nullptr, false).isSuccess();
#else
        return InlineFunction(call, info, false, nullptr, false).isSuccess();
#endif
}

bool expand(CallBase &call, unsigned depth)
{
        Function *callee = call.getCalledFunction(), *copy = special(call, depth);
        bool done;

        if (!copy)
                return false;
        call.setCalledFunction(copy);
        done = inlined(call);
        if (!done)
                call.setCalledFunction(callee);
        copy->eraseFromParent();
        return done;
}

bool expand_all(Function &f, unsigned depth)
{
        SmallVector<CallBase *, 16> calls;
        bool any = false;

        for (Instruction &i : instructions(f))
                if (auto *call = dyn_cast<CallBase>(&i))
                        if (call->getCalledFunction() && is_library(*call->getCalledFunction()))
                                calls.push_back(call);
        for (CallBase *call : calls)
                any |= expand(*call, depth);
        return any;
}

Function *special(const CallBase &call, unsigned depth)
{
        Function *f = call.getCalledFunction();
        ValueToValueMapTy map;

        if (depth == deepest || f->isVarArg() || f->getFunctionType() != call.getFunctionType())
                return nullptr;
        Function *copy = CloneFunction(f, map);
        copy->setLinkage(GlobalValue::InternalLinkage);
        copy->setComdat(nullptr);
        copy->removeFnAttr(Attribute::OptimizeNone);
        copy->removeFnAttr(Attribute::NoInline);
        for (unsigned i = 0; i < copy->arg_size(); i++)
                if (auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(i)))
                        copy->getArg(i)->replaceAllUsesWith(constant);
        simplify(*copy);
        if (expand_all(*copy, depth + 1))
                simplify(*copy);
        return copy;
}
} // namespace

bool atomics_expand(LLVMModuleRef module)
{
        SmallVector<Function *, 64> plain;
        bool any = false;

        for (Function &f : *unwrap(module))
                if (is_plain(f) && !is_library(f))
                        plain.push_back(&f);
        for (Function *f : plain)
                any |= expand_all(*f, 0);
        return any;
}
