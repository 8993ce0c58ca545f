/*
 * See inline.h.
 *
 * The call of the runtime is assembly that changes no general register: with an ordinary call every value of the function would
 * have to survive calls, at each access.  Its arguments are pushed, so there must be no red zone.
 */
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/Triple.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
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

namespace
{
class Inliner
{
        Function &f;
        LLVMContext &c;
        const DataLayout &layout;
        Type *i64;
        MDNode *rare;
        std::string clobbers;
        SmallVector<Instruction *, 16> region; /* accesses with no call between them */

        Constant *now(size_t offset)
        {
                return ConstantExpr::getIntToPtr(ConstantInt::get(i64, WIRE_NOW + offset), PointerType::get(i64, 0));
        }

        void call(IRBuilder<> &b, Value *address, unsigned info)
        {
                std::string text = (address ? "pushq $0" : "pushq $$0") + ("\npushq $$" + std::to_string(info)) +
                                   "\ncallq *__heddle_access@GOTPCREL(%rip)";
                SmallVector<Type *, 1> types;
                SmallVector<Value *, 1> args;

                if (address) {
                        types.push_back(i64);
                        args.push_back(address);
                }
                auto *type = FunctionType::get(Type::getVoidTy(c), types, false);
                b.CreateCall(type, InlineAsm::get(type, text, (address ? "r," : "") + clobbers, true), args);
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
              rare(MDBuilder(c).createBranchWeights(1, 1 << 20)), clobbers("~{memory},~{dirflag},~{fpsr},~{flags}")
        {
                bool wide = f.getFnAttribute("target-features").getValueAsString().contains("+avx512");

                for (unsigned i = 0; i < (wide ? 32 : 16); i++)
                        clobbers += ",~{xmm" + std::to_string(i) + "}";
                for (unsigned i = 0; wide && i < 8; i++)
                        clobbers += ",~{k" + std::to_string(i) + "}";
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
        f->addFnAttr(Attribute::NoRedZone);
        Inliner(*f).run(all);
}
