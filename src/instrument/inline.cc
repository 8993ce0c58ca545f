/* See inline.h. */
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/Triple.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

extern "C" {
#include "instrument/inline.h"
#include "wire/inline.h"
}

#include "instrument/compact.h"
#include "instrument/runtime.h"

using namespace llvm;
using heddle::Compact;
using heddle::Runtime;

static cl::opt<bool> wanted("heddle-inline", cl::init(true), cl::desc("compare accesses without a call"));

/*
 * A region is entered at one point and has no loop and no call: its accesses are counted where it is entered, as many as the
 * longest path through it has.  So each access knows how many of those are still to come, on its longest path.
 */
struct Region {
        Instruction *at = nullptr; /* counted before it */
        unsigned total = 0;        /* words of the longest path */
};

struct Access {
        Instruction *instruction;
        unsigned region, before; /* before: words of the region up to here, on the longest path */
        Value *other;            /* is the memory not the thread's own? */
};

struct Check {
        Value *is, *address;
        Instruction *of; /* has the location in the source */
        unsigned info;
};

namespace
{
/* Can the runtime be called in it? */
bool calls(const Instruction &i)
{
        const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);

        return isa<CallBase>(i) &&
               !(intrinsic && (intrinsic->isAssumeLikeIntrinsic() || intrinsic->doesNotAccessMemory()));
}

/*
 * What is left of the accesses that the thread may make until it must be looked at, as a function counts them.  Where there is a
 * loop, in a variable of its own, which gets a register: a counter in memory would make each count wait for the one before it.
 * Where other code may run, and at the ends of the function, memory has the value; everywhere else the variable has it.
 */
class Counter
{
        Function &f;
        Constant *memory;
        Type *i64;
        AllocaInst *own = nullptr;
        SmallPtrSet<Instruction *, 32> counts, statements; /* loads of it; what calls the runtime by itself */

        void load(Instruction *before)
        {
                IRBuilder<> b(before);

                b.CreateStore(b.CreateLoad(i64, memory), own);
        }

        void store(Instruction *before)
        {
                IRBuilder<> b(before);

                b.CreateStore(b.CreateLoad(i64, own), memory);
        }

        /* An invoke returns to a place that nobody else comes to. */
        void load_behind(InvokeInst *invoke)
        {
                BasicBlock *next = invoke->getNormalDest();

                if (!next->getUniquePredecessor())
                        next = SplitEdge(invoke->getParent(), next);
                load(&*next->getFirstInsertionPt());
        }

        void walk(BasicBlock &block)
        {
                bool known = true, saved = false; /* the variable has the value, memory has it */
                Instruction *end = block.getTerminator();

                for (Instruction &i : make_early_inc_range(block)) {
                        if (isa<LandingPadInst>(i)) {
                                known = false;
                        } else if (counts.count(&i)) {
                                if (!known)
                                        load(&i);
                                known = true;
                                saved = false;
                        } else if (!statements.count(&i) && (calls(i) || isa<ReturnInst>(i) || isa<ResumeInst>(i))) {
                                if (known && !saved)
                                        store(&i);
                                if (isa<CallInst>(i) && cast<CallInst>(i).isMustTailCall())
                                        return;
                                known = i.isTerminator();
                                saved = true;
                        }
                }
                if (!known && end->getNumSuccessors())
                        load(end);
                if (auto *invoke = dyn_cast<InvokeInst>(end))
                        load_behind(invoke);
        }

        /* What follows `asm goto` on each of its ways has no place of its own. */
        bool jumps_by_assembly()
        {
                for (const BasicBlock &b : f)
                        if (isa<CallBrInst>(b.getTerminator()))
                                return true;
                return false;
        }

      public:
        Counter(Function &function, Runtime &runtime)
            : f(function), memory(runtime.now(offsetof(struct wire_now, left))), i64(Type::getInt64Ty(f.getContext()))
        {
        }

        /* From now on it counts in a variable of its own, if it can. */
        void own_variable()
        {
                if (!own && !jumps_by_assembly())
                        own = new AllocaInst(i64, f.getParent()->getDataLayout().getAllocaAddrSpace(), "",
                                             &f.getEntryBlock().front());
        }

        /* Counts n before this instruction.  The result: is there too little left? */
        Value *count(Instruction *before, unsigned n)
        {
                IRBuilder<> b(before);
                Value *place = own ? static_cast<Value *>(own) : memory;
                LoadInst *left = b.CreateLoad(i64, place);
                Value *rest = b.CreateSub(left, b.getInt64(n));

                counts.insert(left);
                b.CreateStore(rest, place);
                return b.CreateICmpSLT(rest, b.getInt64(0));
        }

        /* A statement that counts in the variable. */
        template <typename Make> void statement(Instruction *before, Compact::State &now, Make make)
        {
                IRBuilder<> b(before);
                LoadInst *left = own ? b.CreateLoad(i64, own) : nullptr;

                now.left = left;
                statements.insert(make());
                if (!own)
                        return;
                counts.insert(left);
                b.CreateStore(now.left, own);
        }

        /* When all else of the function is instrumented, but for its frame. */
        void finish()
        {
                SmallVector<BasicBlock *, 64> blocks;
                Instruction *first = own;

                if (!own)
                        return;
                for (BasicBlock &b : f)
                        blocks.push_back(&b);
                for (BasicBlock *b : blocks)
                        walk(*b);
                while (isa<AllocaInst>(first))
                        first = first->getNextNode();
                load(first);
                DominatorTree dominators(f);
                PromoteMemToReg(own, dominators);
        }
};

class Inliner
{
        Function &f;
        LLVMContext &c;
        const DataLayout &layout;
        Type *i64;
        Runtime runtime;
        Counter counter;
        Compact compact;
        bool has_loops = false;
        SmallVector<Region, 32> regions;
        SmallVector<Access, 64> accesses;
        SmallVector<Check, 64> checks; /* in the order of the code */

        unsigned size_of(Instruction *i)
        {
                return (unsigned)layout.getTypeStoreSize(getLoadStoreType(i)).getFixedValue();
        }

        void count(Instruction *at, unsigned n)
        {
                if (compact) {
                        Compact::State now = {nullptr, nullptr};
                        counter.statement(at, now, [&] { return compact.count(at, n, now); });
                        return;
                }
                Value *is = counter.count(at, n);

                checks.push_back({is, nullptr, at, 0});
        }

        /* Where the paths of a region may have come to. */
        struct Point {
                unsigned region, words;
        };

        unsigned new_region()
        {
                regions.emplace_back();
                return (unsigned)regions.size() - 1;
        }

        /* The region that a block continues: that of all blocks before it. */
        Point continues(BasicBlock &b, const DenseMap<BasicBlock *, Point> &ends)
        {
                Point at = {0, 0};
                bool first = true;

                for (BasicBlock *before : predecessors(&b)) {
                        auto end = ends.find(before);

                        if (end == ends.end() || (!first && end->second.region != at.region) ||
                            before->getTerminator()->getNumSuccessors() > 2 || calls(*before->getTerminator()))
                                return {new_region(), 0};
                        at = {end->second.region, first ? end->second.words : std::max(at.words, end->second.words)};
                        first = false;
                }
                return first ? Point{new_region(), 0} : at;
        }

        /* A region is counted at its first access, or where the block that begins it ends. */
        void find(const SmallPtrSetImpl<Instruction *> &all)
        {
                DenseMap<BasicBlock *, Point> ends;

                for (BasicBlock *b : ReversePostOrderTraversal<Function *>(&f)) {
                        Point at = continues(*b, ends);

                        for (BasicBlock *before : predecessors(b))
                                has_loops |= !ends.count(before);
                        for (Instruction &i : *b) {
                                if (all.count(&i)) {
                                        if (!regions[at.region].at)
                                                regions[at.region].at = &i;
                                        accesses.push_back({&i, at.region, at.words, nullptr});
                                        at.words += wire_inline_words(size_of(&i));
                                        regions[at.region].total = std::max(regions[at.region].total, at.words);
                                } else if (calls(i) && !i.isTerminator()) {
                                        at = {new_region(), 0};
                                }
                        }
                        if (!regions[at.region].at)
                                regions[at.region].at = b->getTerminator();
                        ends[b] = at;
                }
        }

        /* What a pointer is based on, and how far it is behind it. */
        struct Based {
                Value *base;
                int64_t offset;
        };

        Based based(Instruction *i)
        {
                Value *pointer = getLoadStorePointerOperand(i);
                APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
                Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);

                if (offset.getSignificantBits() > 12) /* near it: in the same region of memory */
                        return {pointer, 0};
                return {base, offset.getSExtValue()};
        }

        /* Shadow words are as far from each other as what they are of, so one address serves all fields of an object.  Of the
         * accesses between two calls: */
        DenseMap<Value *, Value *> shadows; /* by the base */
        DenseMap<Value *, bool> aligned;    /* bases that are multiples of 8 */
        Compact::State state = {nullptr, nullptr};

        Value *shadow_of(IRBuilder<> &b, Value *base)
        {
                Value *&shadow = shadows[base];

                if (!shadow)
                        shadow = b.CreateXor(b.CreatePtrToInt(base, i64), WIRE_SHADOW_FLIP);
                return shadow;
        }

        Value *word_at(IRBuilder<> &b, Value *shadow, int64_t offset)
        {
                Type *byte = Type::getInt8Ty(c);
                Value *pointer = b.CreateIntToPtr(shadow, PointerType::get(byte, 0));

                pointer = b.CreateGEP(byte, pointer, b.getInt64((uint64_t)(offset + WIRE_SHADOW_SKEW)));
                return b.CreateLoad(i64, b.CreateBitCast(pointer, PointerType::get(i64, 0)));
        }

        /* How far it is behind the begin of its word, if its base says so, and it does not straddle words; else -1. */
        int in_word(Instruction *i, unsigned size, Based of)
        {
                bool whole = getLoadStoreAlignment(i).value() >= 8;
                int at = whole ? 0 : (int)(of.offset & 7);

                return (whole || aligned.lookup(of.base)) && at + (size > 8 ? 8 : size) <= 8 ? at : -1;
        }

        /* In one statement, if it can be. */
        bool compare_at_once(Instruction *i, unsigned size, unsigned rest)
        {
                Based of = based(i);
                int at = in_word(i, size, of);
                Value *pointer = getLoadStorePointerOperand(i), *none = nullptr;
                Compact::Access a = {size, isa<StoreInst>(i), at, at < 0 ? 0 : of.offset, none, none, rest};
                IRBuilder<> b(i);

                if (!compact || (at < 0 && getLoadStoreAlignment(i).value() < size) || !Compact::fits(a))
                        return false;
                a.base = at < 0 ? b.CreatePtrToInt(pointer, i64) : shadow_of(b, of.base);
                if (at < 0)
                        a.shadow = b.CreateXor(b.CreateAnd(a.base, -8), WIRE_SHADOW_FLIP);
                if (!state.mark)
                        state.mark = b.CreateLoad(i64, runtime.now(offsetof(struct wire_now, mark)));
                counter.statement(i, state, [&] { return compact.check(i, a, state); });
                return true;
        }

        Value *is_other(IRBuilder<> &b, Instruction *i, unsigned size, Value *address)
        {
                Based of = based(i);
                int at = in_word(i, size, of);
                Value *mark = b.CreateLoad(i64, runtime.now(offsetof(struct wire_now, mark))), *shadow, *other;

                if (at >= 0) {
                        shadow = shadow_of(b, of.base);
                        other = b.CreateICmpNE(word_at(b, shadow, of.offset - at), mark);
                        if (size > 8)
                                other = b.CreateOr(other, b.CreateICmpNE(word_at(b, shadow, of.offset - at + 8), mark));
                        return other;
                }
                shadow = b.CreateXor(b.CreateAnd(address, -8), WIRE_SHADOW_FLIP);
                other = b.CreateICmpNE(word_at(b, shadow, 0), mark);
                if (size > 8)
                        other = b.CreateOr(other, b.CreateICmpNE(word_at(b, shadow, 8), mark));
                if (getLoadStoreAlignment(i).value() < (size < 8 ? size : 8)) /* it may be in one word more */
                        other = b.CreateOr(
                                other, b.CreateICmpUGT(b.CreateAnd(address, 7), b.getInt64(size > 8 ? 0 : 8 - size)));
                return other;
        }

        void compare(const Access &a)
        {
                Instruction *i = a.instruction;
                IRBuilder<> b(i);
                unsigned size = size_of(i), words = wire_inline_words(size);
                unsigned rest = regions[a.region].total - a.before - words;

                if (compare_at_once(i, size, rest))
                        return;
                state.mark = nullptr;
                Value *address = b.CreatePtrToInt(getLoadStorePointerOperand(i), i64);

                checks.push_back({is_other(b, i, size, address), address, i,
                                  size | (isa<StoreInst>(i) ? WIRE_INLINE_WRITE : 0) | rest << WIRE_INLINE_REST});
        }

        /* Do both happen, if one does? */
        bool together(const Access &a, const Access &b)
        {
                return a.instruction->getParent() == b.instruction->getParent() && a.region == b.region;
        }

        /* Accesses of one block, without a call between them. */
        void compare_all(size_t begin, size_t end)
        {
                shadows.clear();
                aligned.clear();
                state.mark = nullptr;
                for (size_t i = begin; i < end; i++) {
                        Based of = based(accesses[i].instruction);

                        if (getLoadStoreAlignment(accesses[i].instruction).value() >= 8 && !(of.offset & 7))
                                aligned[of.base] = true;
                }
                for (size_t i = begin; i < end; i++)
                        compare(accesses[i]);
        }

      public:
        explicit Inliner(Function &function)
            : f(function), c(f.getContext()), layout(f.getParent()->getDataLayout()), i64(Type::getInt64Ty(c)),
              runtime(*f.getParent()), counter(function, runtime), compact(function)
        {
        }

        void run(const SmallPtrSetImpl<Instruction *> &all)
        {
                find(all);
                if (compact)
                        compact.begin();
                if (has_loops)
                        counter.own_variable();
                for (const Region &r : regions)
                        if (r.total)
                                count(r.at, r.total);
                for (size_t i = 0, end; i < accesses.size(); i = end) {
                        for (end = i + 1; end < accesses.size() && together(accesses[i], accesses[end]);)
                                end++;
                        compare_all(i, end);
                }
                for (size_t i = checks.size(); i-- > 0;)
                        runtime.call_if(checks[i].is, checks[i].of, checks[i].info, checks[i].address);
                counter.finish();
        }
};
} // namespace

bool inline_function(LLVMValueRef function)
{
        Function *f = unwrap<Function>(function);

        return wanted && !f->hasOptNone() && Triple(f->getParent()->getTargetTriple()).getArch() == Triple::x86_64;
}

bool inline_access(unsigned long size)
{
        return (size == 1 || size == 2 || size == 4 || size == 8 || size == 16);
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
