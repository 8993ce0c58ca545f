/* See inline.h: the shadow call stack. */
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "instrument/compact.h"
#include "instrument/runtime.h"

extern "C" {
#include "instrument/inline.h"
#include "wire/inline.h"
}

using namespace llvm;
using heddle::Compact;
using heddle::Runtime;

namespace
{
class Frame
{
        Function &f;
        LLVMContext &c;
        Type *i64;
        Runtime runtime;
        Compact compact;

        Value *number(IRBuilder<> &b, size_t offset)
        {
                return b.CreateLoad(i64, runtime.now(offset));
        }

        /* Of the function itself: 0, the innermost one. */
        Value *asked(IRBuilder<> &b, Intrinsic::ID what, ArrayRef<Type *> types)
        {
                Function *intrinsic = Intrinsic::getDeclaration(f.getParent(), what, types);

                return b.CreatePtrToInt(b.CreateCall(intrinsic, b.getInt32(0)), i64);
        }

        void note(Instruction *at, Value *n, Value *site)
        {
                IRBuilder<> b(at);
                Value *call = b.CreateAdd(number(b, offsetof(struct wire_now, calls)),
                                          b.CreateMul(n, b.getInt64(sizeof(struct wire_call))));
                auto place = [&](size_t offset) {
                        return b.CreateIntToPtr(b.CreateAdd(call, b.getInt64(offset)), PointerType::get(i64, 0));
                };

                b.CreateStore(site, place(offsetof(struct wire_call, site)));
                b.CreateStore(asked(b, Intrinsic::frameaddress, PointerType::get(Type::getInt8Ty(c), 0)),
                              place(offsetof(struct wire_call, frame)));
                b.CreateStore(b.CreateAdd(n, b.getInt64(1)), runtime.now(offsetof(struct wire_now, n_calls)));
        }

        /* It is counted before the runtime is asked, which knows that. */
        void ends(Instruction *at)
        {
                if (compact) {
                        compact.ends(at);
                        return;
                }
                IRBuilder<> b(at);
                Value *n = b.CreateSub(number(b, offsetof(struct wire_now, n_calls)), b.getInt64(1));

                b.CreateStore(n, runtime.now(offsetof(struct wire_now, n_calls)));
                runtime.call_if(b.CreateICmpUGE(n, number(b, offsetof(struct wire_now, most_calls))), at,
                                WIRE_INLINE_LEAVE, nullptr);
        }

        void begins()
        {
                Instruction *first = &f.getEntryBlock().front(), *known, *unknown;

                while (isa<AllocaInst>(first))
                        first = first->getNextNode();
                IRBuilder<> b(first);
                Value *site = asked(b, Intrinsic::returnaddress, {});

                if (compact) {
                        compact.begins(first, site,
                                       asked(b, Intrinsic::frameaddress, PointerType::get(Type::getInt8Ty(c), 0)));
                        return;
                }
                Value *n = number(b, offsetof(struct wire_now, n_calls));
                Value *is = b.CreateICmpULT(n, number(b, offsetof(struct wire_now, most_calls)));

                SplitBlockAndInsertIfThenElse(is, first, &known, &unknown,
                                              MDBuilder(c).createBranchWeights(1 << 20, 1));
                note(known, n, site);
                runtime.call(unknown, WIRE_INLINE_ENTER, site);
        }

      public:
        explicit Frame(Function &function)
            : f(function), c(f.getContext()), i64(Type::getInt64Ty(c)), runtime(*f.getParent()), compact(function)
        {
        }

        void run()
        {
                SmallVector<Instruction *, 8> all;

                if (compact)
                        compact.begin();
                for (BasicBlock &block : f)
                        if (isa<ReturnInst>(block.getTerminator())) {
                                CallInst *last = block.getTerminatingMustTailCall();
                                all.push_back(last ? cast<Instruction>(last) : block.getTerminator());
                        }
                for (Instruction *each : all)
                        ends(each);
                begins();
        }
};
} // namespace

void inline_frame(LLVMValueRef function)
{
        Frame(*unwrap<Function>(function)).run();
}
