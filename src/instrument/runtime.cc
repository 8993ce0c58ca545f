/* See runtime.h. */
#include "instrument/runtime.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

extern "C" {
#include "wire/inline.h"
}

using namespace llvm;
using heddle::Runtime;

/* The way to the runtime, one for each file that the linker makes: a call of it needs no register, which a slot of the global
 * offset table may get in a loop. */
static Function *way(Module &m)
{
        const char name[] = "__heddle_access_here";
        Function *f = m.getFunction(name);

        if (f)
                return f;
        auto *type = FunctionType::get(Type::getVoidTy(m.getContext()), false);
        auto *runtime = cast<Function>(m.getOrInsertFunction("__heddle_access", type).getCallee());
        runtime->addFnAttr(Attribute::NonLazyBind); /* what binds it would change registers */
        f = Function::Create(type, GlobalValue::LinkOnceODRLinkage, name, m);
        f->setComdat(m.getOrInsertComdat(name));
        f->setVisibility(GlobalValue::HiddenVisibility);
        f->setDSOLocal(true);
#if LLVM_VERSION_MAJOR < 15
        f->addFnAttr(Attribute::UWTable);
#else
        f->setUWTableKind(UWTableKind::Default);
#endif
        IRBuilder<> b(BasicBlock::Create(m.getContext(), "", f));
        CallInst *call = b.CreateCall(runtime);
        call->setTailCallKind(CallInst::TCK_MustTail);
        b.CreateRetVoid();
        for (auto *each : {f, runtime}) {
                each->setCallingConv(CallingConv::PreserveMost);
                each->addFnAttr(Attribute::NoUnwind);
        }
        call->setCallingConv(CallingConv::PreserveMost);
        return f;
}

Runtime::Runtime(Module &m)
    : i64(Type::getInt64Ty(m.getContext())), rare(MDBuilder(m.getContext()).createBranchWeights(1, 1 << 20)),
      access(way(m))
{
}

Constant *Runtime::now(size_t offset)
{
        return ConstantExpr::getIntToPtr(ConstantInt::get(i64, WIRE_NOW + offset), PointerType::get(i64, 0));
}

void Runtime::call(Instruction *before, unsigned info, Value *address)
{
        IRBuilder<> b(before);

        if (address)
                b.CreateStore(address, now(offsetof(struct wire_now, address)));
        b.CreateStore(b.getInt64(info), now(offsetof(struct wire_now, info)));
        CallInst *to = b.CreateCall(access);
        to->setCallingConv(CallingConv::PreserveMost);
        to->addFnAttr(Attribute::NoMerge); /* each has the place of its access */
}

void Runtime::call_if(Value *is, Instruction *of, unsigned info, Value *address)
{
        Instruction *then = SplitBlockAndInsertIfThen(is, cast<Instruction>(is)->getNextNode(), false, rare);

        then->setDebugLoc(of->getDebugLoc());
        call(then, info, address);
}
