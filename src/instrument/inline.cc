/*
 * See inline.h.
 *
 * The call of the runtime keeps general registers: with an ordinary call every value of the function would have to survive calls,
 * at each access.  Its arguments are in memory (wire/inline.h), so that it needs no register.
 */
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/Triple.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

extern "C" {
#include "instrument/inline.h"
#include "wire/inline.h"
}

using namespace llvm;

static cl::opt<bool> wanted("heddle-inline", cl::init(true), cl::desc("compare accesses without a call"));

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

namespace
{
class Inliner
{
        Function &f;
        LLVMContext &c;
        const DataLayout &layout;
        Type *i64;
        MDNode *rare;
        Function *access;
        SmallVector<Instruction *, 16> region; /* accesses with no call between them */

        Constant *now(size_t offset)
        {
                return ConstantExpr::getIntToPtr(ConstantInt::get(i64, WIRE_NOW + offset), PointerType::get(i64, 0));
        }

        void call(IRBuilder<> &b, Value *address, unsigned info)
        {
                if (address)
                        b.CreateStore(address, now(offsetof(struct wire_now, address)));
                b.CreateStore(b.getInt64(info), now(offsetof(struct wire_now, info)));
                CallInst *c = b.CreateCall(access);
                c->setCallingConv(CallingConv::PreserveMost);
                c->addFnAttr(Attribute::NoMerge); /* each has the place of its access */
        }

        /* Where `is` holds, which it rarely does, the runtime is called before the access. */
        void call_if(Instruction *at, Value *is, Value *address, unsigned info)
        {
                IRBuilder<> b(SplitBlockAndInsertIfThen(is, at, false, rare));

                b.SetCurrentDebugLocation(at->getDebugLoc());
                call(b, address, info);
        }

        unsigned size_of(Instruction *i)
        {
                return (unsigned)layout.getTypeStoreSize(getLoadStoreType(i)).getFixedValue();
        }

        void count(Instruction *at, unsigned n)
        {
                IRBuilder<> b(at);
                Constant *counter = now(offsetof(struct wire_now, left));
                Value *left = b.CreateSub(b.CreateLoad(i64, counter), b.getInt64(n));

                b.CreateStore(left, counter);
                call_if(at, b.CreateICmpSLT(left, b.getInt64(0)), nullptr, 0);
        }

        /* Is it not within one word, or two if it is wider than one?  NULL: it is. */
        Value *straddles(IRBuilder<> &b, Instruction *i, Value *address, unsigned size)
        {
                if (getLoadStoreAlignment(i).value() >= (size < 8 ? size : 8))
                        return nullptr;
                Value *offset = b.CreateAnd(address, 7);
                return b.CreateICmpUGT(offset, b.getInt64(size > 8 ? 0 : 8 - size));
        }

        void compare(Instruction *i, unsigned rest)
        {
                IRBuilder<> b(i);
                unsigned size = size_of(i);
                Value *address = b.CreatePtrToInt(getLoadStorePointerOperand(i), i64);
                Value *granule = getLoadStoreAlignment(i).value() >= 8 ? address : b.CreateAnd(address, -8);
                Value *shadow = b.CreateIntToPtr(b.CreateXor(granule, WIRE_SHADOW_FLIP), PointerType::get(i64, 0));
                Value *mark = b.CreateLoad(i64, now(offsetof(struct wire_now, mark)));
                Value *other = b.CreateICmpNE(b.CreateLoad(i64, shadow), mark);

                if (size > 8)
                        other = b.CreateOr(
                                other, b.CreateICmpNE(b.CreateLoad(i64, b.CreateConstGEP1_32(i64, shadow, 1)), mark));
                if (Value *more = straddles(b, i, address, size))
                        other = b.CreateOr(other, more);
                call_if(i, other, address,
                        size | (isa<StoreInst>(i) ? WIRE_INLINE_WRITE : 0) | rest << WIRE_INLINE_REST);
        }

        void end_region()
        {
                unsigned n = 0;

                for (Instruction *i : region)
                        n += wire_inline_words(size_of(i));
                if (n)
                        count(region[0], n);
                for (Instruction *i : region)
                        compare(i, n -= wire_inline_words(size_of(i)));
                region.clear();
        }

        /* Can the runtime be called in it? */
        static bool calls(const Instruction &i)
        {
                const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);

                return isa<CallBase>(i) &&
                       !(intrinsic && (intrinsic->isAssumeLikeIntrinsic() || intrinsic->doesNotAccessMemory()));
        }

      public:
        explicit Inliner(Function &function)
            : f(function), c(f.getContext()), layout(f.getParent()->getDataLayout()), i64(Type::getInt64Ty(c)),
              rare(MDBuilder(c).createBranchWeights(1, 1 << 20)), access(way(*f.getParent()))
        {
        }

        void run(const SmallPtrSetImpl<Instruction *> &accesses)
        {
                SmallVector<SmallVector<Instruction *, 16>, 32> regions(1);

                for (BasicBlock &b : f) {
                        for (Instruction &i : b) {
                                if (accesses.count(&i))
                                        regions.back().push_back(&i);
                                else if (calls(i) && !regions.back().empty())
                                        regions.emplace_back();
                        }
                        if (!regions.back().empty())
                                regions.emplace_back();
                }
                for (auto &r : regions) {
                        region = r;
                        end_region();
                }
        }
};
} // namespace

bool inline_function(LLVMValueRef function)
{
        Function *f = unwrap<Function>(function);

        return wanted && !f->hasOptNone() && Triple(f->getParent()->getTargetTriple()).getArch() == Triple::x86_64;
}

bool inline_access(LLVMValueRef instruction, unsigned long size)
{
        auto *i = unwrap<Instruction>(instruction);

        return (size == 1 || size == 2 || size == 4 || size == 8 || size == 16) && !i->isVolatile();
}

void inline_insert(LLVMValueRef function, LLVMValueRef *accesses, size_t n)
{
        Function *f = unwrap<Function>(function);
        SmallPtrSet<Instruction *, 32> all;

        if (!n)
                return;
        for (size_t i = 0; i < n; i++)
                all.insert(unwrap<Instruction>(accesses[i]));
        Inliner(*f).run(all);
}
