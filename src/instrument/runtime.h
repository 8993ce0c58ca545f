/* The call of the runtime by code that does the common case by itself. */
#ifndef HEDDLE_INSTRUMENT_RUNTIME_H
#define HEDDLE_INSTRUMENT_RUNTIME_H

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>
#include <string>

extern "C" {
#include "wire/inline.h"
}

namespace heddle
{
/*
 * The call keeps general registers: with an ordinary call every value of the function would have to survive calls, at each
 * access.  Its arguments are in memory (wire/inline.h), so that it needs no register.
 */
class Runtime
{
        llvm::Type *i64;
        llvm::MDNode *rare;
        llvm::Function *access;

      public:
        explicit Runtime(llvm::Module &m);
        /* Of struct wire_now. */
        llvm::Constant *now(std::size_t offset);
        /* Calls it with this word and, unless it is NULL, this address. */
        void call(llvm::Instruction *before, unsigned info, llvm::Value *address);
        /* ... where `is` holds, behind that, at the location of `of`. */
        void call_if(llvm::Value *is, llvm::Instruction *of, unsigned info, llvm::Value *address);
};

/* The way to the runtime, one for each file that the linker makes: a call of it needs no register, which a slot of the global
 * offset table may get in a loop. */
inline llvm::Function *way(llvm::Module &m, llvm::StringRef to = "__heddle_access")
{
        const std::string name = (to + "_here").str();
        llvm::Function *f = m.getFunction(name);

        if (f)
                return f;
        auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(m.getContext()), false);
        auto *runtime = llvm::cast<llvm::Function>(m.getOrInsertFunction(to, type).getCallee());
        runtime->addFnAttr(llvm::Attribute::NonLazyBind); /* what binds it would change registers */
        f = llvm::Function::Create(type, llvm::GlobalValue::LinkOnceODRLinkage, name, m);
        f->setComdat(m.getOrInsertComdat(name));
        f->setVisibility(llvm::GlobalValue::HiddenVisibility);
        f->setDSOLocal(true);
#if LLVM_VERSION_MAJOR < 15
        f->addFnAttr(llvm::Attribute::UWTable);
#else
        f->setUWTableKind(llvm::UWTableKind::Default);
#endif
        llvm::IRBuilder<> b(llvm::BasicBlock::Create(m.getContext(), "", f));
        llvm::CallInst *call = b.CreateCall(runtime);
        call->setTailCallKind(llvm::CallInst::TCK_MustTail);
        b.CreateRetVoid();
        for (auto *each : {f, runtime}) {
                each->setCallingConv(llvm::CallingConv::PreserveMost);
                each->addFnAttr(llvm::Attribute::NoUnwind);
        }
        call->setCallingConv(llvm::CallingConv::PreserveMost);
        return f;
}

inline Runtime::Runtime(llvm::Module &m)
    : i64(llvm::Type::getInt64Ty(m.getContext())),
      rare(llvm::MDBuilder(m.getContext()).createBranchWeights(1, 1 << 20)), access(way(m))
{
}

inline llvm::Constant *Runtime::now(size_t offset)
{
        return llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(i64, WIRE_NOW + offset),
                                               llvm::PointerType::get(i64, 0));
}

inline void Runtime::call(llvm::Instruction *before, unsigned info, llvm::Value *address)
{
        llvm::IRBuilder<> b(before);

        if (address)
                b.CreateStore(address, now(offsetof(struct wire_now, address)));
        b.CreateStore(b.getInt64(info), now(offsetof(struct wire_now, info)));
        llvm::CallInst *to = b.CreateCall(access);
        to->setCallingConv(llvm::CallingConv::PreserveMost);
        to->addFnAttr(llvm::Attribute::NoMerge); /* each has the place of its access */
}

inline void Runtime::call_if(llvm::Value *is, llvm::Instruction *of, unsigned info, llvm::Value *address)
{
        llvm::Instruction *then =
                llvm::SplitBlockAndInsertIfThen(is, llvm::cast<llvm::Instruction>(is)->getNextNode(), false, rare);

        then->setDebugLoc(of->getDebugLoc());
        call(then, info, address);
}
} // namespace heddle

#endif
