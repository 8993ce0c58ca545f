/*
 * The word of a thread, in the body that runs natively (path.h).
 *
 * It has a 1 before its first bit, which comes to the top when 63 bits are in it.  In a function it is kept in a register, so
 * that a loop does not wait for its own stores, and is stored before the next instruction that others can see, or that may fail:
 * a path is known up to there.  What is called changes the word, and is followed by a load.
 *
 * Bits are not appended one by one: as long as only one sequence of branches leads to a place, its bits are a constant, and
 * pending.  They are appended where sequences meet, and before the word is stored.
 */
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

extern "C" {
#include "instrument/path.h"
#include "rt/program_code.h"
}

using namespace llvm;

static const unsigned word_bits = 63, most_pending = 16, most_offset = 4096, most_accesses = 8;

/* The word of a thread in a function. */
struct word {
        GlobalVariable *memory;
        AllocaInst *copy;
        Type *type;
        SmallPtrSet<const Instruction *, 32> changes; /* stores of the copy that the memory does not have yet */
        SmallPtrSet<const Instruction *, 32> shows;   /* what others can see, or may fail */
};

/* Places of memory that a function has accessed. */
struct accesses {
        DominatorTree order;
        DenseMap<const Value *, SmallVector<const Instruction *, 4>> of; /* by pointer */
};

/* A constant sequence, the last bit lowest. */
struct bits {
        uint64_t value;
        unsigned n;
};

/* Where bits that are pending are appended: before instructions, and between a terminator and one of its successors. */
struct plan {
        DenseMap<std::pair<BasicBlock *, BasicBlock *>, struct bits> out;
        SmallVector<std::pair<Instruction *, struct bits>, 64> before;
        DenseMap<CallInst *, struct bits> at; /* marks, whose own bits follow */
        SmallVector<std::pair<std::pair<Instruction *, BasicBlock *>, struct bits>, 64> between;
};

static GlobalVariable *word_of(Module &m)
{
        Type *type = Type::getInt64Ty(m.getContext());
        auto *word = cast<GlobalVariable>(m.getOrInsertGlobal("__heddle_path", type));

        word->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
        return word;
}

static void reload(const struct word &w, Instruction *before)
{
        IRBuilder<> b(before);

        b.CreateStore(b.CreateLoad(w.type, w.memory), w.copy);
}

static MDNode *rarely(const Instruction &i)
{
        return MDBuilder(i.getContext()).createBranchWeights(1, 100000);
}

static void call_slow(struct word &w, const char *name, ArrayRef<Value *> args, Instruction *before,
                      const DebugLoc &place)
{
        IRBuilder<> b(before);
        SmallVector<Type *, 2> types;

        for (Value *a : args)
                types.push_back(a->getType());
        b.SetCurrentDebugLocation(place);
        FunctionCallee hook =
                before->getModule()->getOrInsertFunction(name, FunctionType::get(b.getVoidTy(), types, false));
        cast<Function>(hook.getCallee())->addFnAttr(Attribute::NonLazyBind); /* the loader does not preserve r10 */
        CallInst *call = b.CreateCall(hook, args);
        call->setDoesNotThrow();
        call->setCallingConv(CallingConv::PreserveMost);
        w.shows.insert(call);
}

/* Appends a bit, before an instruction. */
static void append_one(struct word &w, Value *bit, Instruction *before, const DebugLoc &place)
{
        IRBuilder<> b(before);
        Value *with = b.CreateOr(b.CreateShl(b.CreateLoad(w.type, w.copy), 1), bit);

        w.changes.insert(b.CreateStore(with, w.copy));
        Value *full = b.CreateICmpSLT(with, b.getInt64(0));
        Instruction *then = SplitBlockAndInsertIfThen(full, before, false, rarely(*before));
        call_slow(w, "__heddle_path_full", {}, then, place);
        reload(w, then);
}

/* Appends n bits; where the word may have no room for them and one more, slowly. */
static void append(struct word &w, Value *bits, unsigned n, Instruction *before, const DebugLoc &place)
{
        IRBuilder<> b(before);
        Instruction *slow, *fast;

        if (n == 1) {
                append_one(w, bits, before, place);
                return;
        }
        Value *old = b.CreateLoad(w.type, w.copy);
        Value *full = b.CreateICmpUGE(old, b.getInt64(UINT64_C(1) << (word_bits - n)));
        SplitBlockAndInsertIfThenElse(full, before, &slow, &fast, rarely(*before));
        IRBuilder<> f(fast);
        w.changes.insert(f.CreateStore(f.CreateOr(f.CreateShl(old, n), bits), w.copy));
        call_slow(w, "__heddle_path_bits", {bits, ConstantInt::get(w.type, n)}, slow, place);
        reload(w, slow);
}

static bool changes_word(const CallBase &call)
{
        return !isa<IntrinsicInst>(call) && !call.isInlineAsm();
}

/* Behind a call: where it may continue.  Others may come there without a call, and only what unwinds comes to a landing pad. */
static void reload_behind(const struct word &w, CallBase *call)
{
        if (auto *i = dyn_cast<CallInst>(call)) {
                if (!i->isMustTailCall())
                        reload(w, i->getNextNode());
                return;
        }
        auto *invoke = cast<InvokeInst>(call);
        BasicBlock *next = invoke->getNormalDest(), *pad = invoke->getUnwindDest();
        if (!next->getSinglePredecessor())
                next = SplitEdge(invoke->getParent(), next);
        reload(w, &*next->getFirstInsertionPt());
        if (pad->getFirstInsertionPt() != pad->end())
                reload(w, &*pad->getFirstInsertionPt());
}

/* Memory that is there, and of this function alone. */
static bool is_own(const Value *pointer)
{
        const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));

        return variable && !PointerMayBeCaptured(variable, true, true);
}

/* The pointer that an address is a small constant away from: the next page may not be there. */
static const Value *base_of(const Value *pointer, const DataLayout &layout)
{
        APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
        const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);

        return offset.abs().ult(most_offset) ? base : pointer;
}

/* May the load fail?  Not where its pointer was used before. */
static bool may_fail(struct accesses &a, const LoadInst &load)
{
        const Value *object = getUnderlyingObject(load.getPointerOperand());
        const Value *base = base_of(load.getPointerOperand(), load.getModule()->getDataLayout());
        auto known = a.of.find(base);

        if (isa<AllocaInst>(object) || isa<GlobalVariable>(object))
                return false;
        return known == a.of.end() ||
               none_of(known->second, [&](const Instruction *i) { return a.order.dominates(i, &load); });
}

static void note_access(struct accesses &a, const Instruction &i)
{
        const Value *pointer = getLoadStorePointerOperand(&i);

        if (!pointer)
                return;
        auto &known = a.of[base_of(pointer, i.getModule()->getDataLayout())];
        if (known.size() < most_accesses)
                known.push_back(&i);
}

/* Can others see this instruction, or may it fail? */
static bool shows(struct accesses &a, const Instruction &i)
{
        if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&i))
                return intrinsic->mayReadOrWriteMemory() && !intrinsic->isAssumeLikeIntrinsic();
        if (const auto *load = dyn_cast<LoadInst>(&i))
                return !load->isSimple() || may_fail(a, *load);
        if (const auto *store = dyn_cast<StoreInst>(&i))
                return !store->isSimple() || !is_own(store->getPointerOperand());
        switch (i.getOpcode()) {
        case Instruction::UDiv:
        case Instruction::SDiv:
        case Instruction::URem:
        case Instruction::SRem: return !isa<Constant>(i.getOperand(1));
        default: break;
        }
        return isa<CallBase>(i) || i.mayReadOrWriteMemory() || (i.isTerminator() && !i.getNumSuccessors());
}

static void find_shows(struct word &w, Function &f)
{
        struct accesses a;
        ReversePostOrderTraversal<Function *> blocks(&f);

        a.order.recalculate(f);
        for (BasicBlock *block : blocks)
                for (Instruction &i : *block) {
                        if (shows(a, i))
                                w.shows.insert(&i);
                        note_access(a, i);
                }
}

static CallInst *mark_of(Instruction &i)
{
        auto *call = dyn_cast<CallInst>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;

        return callee && path_is_mark(callee->getName().str().c_str()) ? call : nullptr;
}

/* The branch whose ways each append a constant: its mark is right before it. */
static BranchInst *branch_of(CallInst *mark)
{
        auto *branch = mark ? dyn_cast<BranchInst>(mark->getNextNode()) : nullptr;

        return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch
                                                                                                       : nullptr;
}

/* What is pending at the begin of a block; where sequences meet, each is appended on its way there. */
static struct bits meet(struct plan &plan, BasicBlock &block)
{
        bool first = true, one = true;
        struct bits all = {0, 0};

        for (BasicBlock *from : predecessors(&block)) {
                auto known = plan.out.find({from, &block});
                if (known == plan.out.end()) { /* a loop */
                        one = false;
                        continue;
                }
                one &= first || (known->second.n == all.n && known->second.value == all.value);
                all = known->second;
                first = false;
        }
        if (one)
                return all;
        for (BasicBlock *from : predecessors(&block)) {
                auto known = plan.out.find({from, &block});
                if (known != plan.out.end() && known->second.n)
                        plan.between.push_back({{from->getTerminator(), &block}, known->second});
        }
        return {0, 0};
}

/* The end of a block, where p is pending. */
static void leave(struct plan &plan, BasicBlock &block, struct bits p, const SmallPtrSetImpl<BasicBlock *> &seen)
{
        Instruction *end = block.getTerminator(), *last = end->getPrevNode();
        BranchInst *marked = last ? branch_of(mark_of(*last)) : nullptr;
        auto *branch = dyn_cast<BranchInst>(end);
        bool several = !branch || (branch->isConditional() && branch->getSuccessor(0) == branch->getSuccessor(1));

        if (p.n && (several || (marked && p.n == most_pending))) {
                plan.before.push_back({marked ? last : end, p});
                p = {0, 0};
        }
        for (unsigned i = 0; i < end->getNumSuccessors(); i++) {
                BasicBlock *to = end->getSuccessor(i);
                struct bits then = marked ? (struct bits){p.value << 1 | (i == 0), p.n + 1} : p;
                plan.out[{&block, to}] = then;
                if (then.n && seen.contains(to))
                        plan.between.push_back({{end, to}, then});
        }
}

static void make_plan(struct plan &plan, const struct word &w, Function &f)
{
        ReversePostOrderTraversal<Function *> blocks(&f);
        SmallPtrSet<BasicBlock *, 32> seen;

        for (BasicBlock *block : blocks) {
                struct bits p = meet(plan, *block);
                seen.insert(block);
                for (Instruction &i : *block) {
                        CallInst *mark = mark_of(i);
                        if (!p.n || branch_of(mark) || !(mark || w.shows.contains(&i)))
                                continue;
                        if (mark)
                                plan.at[mark] = p;
                        else
                                plan.before.push_back({&i, p});
                        p = {0, 0};
                }
                leave(plan, *block, p, seen);
        }
}

static DebugLoc place_of(const Instruction &i)
{
        DISubprogram *f = i.getFunction()->getSubprogram();

        return i.getDebugLoc() || !f ? i.getDebugLoc() : DebugLoc(DILocation::get(i.getContext(), 0, 0, f));
}

static void append_pending(struct word &w, const struct plan &plan)
{
        for (auto &p : plan.before)
                append(w, ConstantInt::get(w.type, p.second.value), p.second.n, p.first, place_of(*p.first));
        for (auto &p : plan.between) {
                Instruction *from = p.first.first;
                BasicBlock *edge = SplitEdge(from->getParent(), p.first.second);
                append(w, ConstantInt::get(w.type, p.second.value), p.second.n, edge->getTerminator(), place_of(*from));
        }
}

/* What a mark is given; of a call through a pointer as program_code_bits() says. */
static Value *bits_of(const struct word &w, CallInst *mark, unsigned *n)
{
        IRBuilder<> b(mark);
        Value *given = mark->getArgOperand(0);

        if (path_is_branch(mark->getCalledFunction()->getName().str().c_str())) {
                *n = (unsigned)cast<ConstantInt>(mark->getArgOperand(1))->getZExtValue();
                return b.CreateAnd(given, b.getInt64((UINT64_C(1) << *n) - 1));
        }
        Type *pair = ArrayType::get(w.type, 2);
        Constant *code = mark->getModule()->getOrInsertGlobal("__heddle_code", pair);
        Value *lo = b.CreateLoad(w.type, b.CreateConstInBoundsGEP2_32(pair, code, 0, 0));
        Value *size = b.CreateLoad(w.type, b.CreateConstInBoundsGEP2_32(pair, code, 0, 1));
        Value *here = b.CreateICmpULT(b.CreateSub(given, lo), size);
        *n = CALL_BITS;
        return b.CreateSelect(here, b.CreateAnd(b.CreateLShr(given, CALL_SHIFT), (1u << CALL_BITS) - 1), b.getInt64(0));
}

/* Marks that are not at a branch append what they are given, behind what is pending. */
static void replace(struct word &w, const struct plan &plan, CallInst *mark)
{
        struct bits p = plan.at.lookup(mark);
        IRBuilder<> b(mark);
        unsigned n;

        if (!branch_of(mark)) {
                Value *value = bits_of(w, mark, &n);
                append(w, b.CreateOr(value, p.value << n), n + p.n, mark, mark->getDebugLoc());
        }
        mark->eraseFromParent();
}

/* Goes through a block: is there a bit that the memory does not have at its end?  With `todo`: before which instructions? */
static bool pass_block(const struct word &w, BasicBlock &block, bool dirty, SmallVectorImpl<Instruction *> *todo)
{
        for (Instruction &i : block) {
                const auto *store = dyn_cast<StoreInst>(&i);
                const auto *load = dyn_cast<LoadInst>(&i);

                if (store && store->getPointerOperand() == w.copy) {
                        dirty = w.changes.contains(&i);
                } else if (store && store->getPointerOperand() == w.memory) {
                        dirty = false;
                } else if (dirty && !(load && load->getPointerOperand() == w.copy) && w.shows.contains(&i)) {
                        if (todo)
                                todo->push_back(&i);
                        dirty = false;
                }
        }
        return dirty;
}

using flow = DenseMap<BasicBlock *, bool>;

/* Where there are bits that the memory does not have, at the begins and ends of blocks. */
static void find_dirty(const struct word &w, Function &f, flow &begin, flow &end)
{
        bool again = true;

        begin.clear();
        end.clear();
        while (again) {
                again = false;
                for (BasicBlock &block : f) {
                        for (BasicBlock *before : predecessors(&block))
                                begin[&block] |= end[before];
                        bool dirty = pass_block(w, block, begin[&block], nullptr);
                        again |= dirty != end[&block];
                        end[&block] = dirty;
                }
        }
}

static void store(const struct word &w, Instruction *before)
{
        IRBuilder<> b(before);

        b.CreateStore(b.CreateLoad(w.type, w.copy), w.memory);
}

/* A loop that appends nothing needs no store in each round: one before it is enough. */
static void store_before_loops(const struct word &w, Function &f, flow &begin, flow &end)
{
        DominatorTree dominators(f);
        LoopInfo loops(dominators);

        find_dirty(w, f, begin, end);
        for (Loop *loop : loops.getLoopsInPreorder()) {
                bool appends = false, seen = false;
                for (BasicBlock *block : loop->blocks())
                        for (Instruction &i : *block) {
                                appends |= w.changes.contains(&i);
                                seen |= w.shows.contains(&i);
                        }
                for (BasicBlock *from : predecessors(loop->getHeader()))
                        if (!appends && seen && !loop->contains(from) && end[from])
                                store(w, from->getTerminator());
        }
}

static void store_before_others_see(const struct word &w, Function &f)
{
        SmallVector<Instruction *, 64> todo;
        flow begin, end;

        store_before_loops(w, f, begin, end);
        find_dirty(w, f, begin, end);
        for (BasicBlock &block : f)
                pass_block(w, block, begin[&block], &todo);
        for (Instruction *i : todo)
                store(w, i);
}

/* Loads whose value nobody needs. */
static void drop_unused(Function &f, GlobalVariable *memory)
{
        for (Instruction &i : make_early_inc_range(instructions(f))) {
                auto *load = dyn_cast<LoadInst>(&i);
                if (load && load->getPointerOperand() == memory && load->use_empty())
                        load->eraseFromParent();
        }
}

void path_expand(LLVMValueRef plain)
{
        Function &f = *unwrap<Function>(plain);
        SmallVector<CallInst *, 64> marks;
        SmallVector<CallBase *, 64> calls;
        struct plan plan;

        for (Instruction &i : instructions(f)) {
                auto *call = dyn_cast<CallBase>(&i);

                if (CallInst *mark = mark_of(i))
                        marks.push_back(mark);
                else if (call && changes_word(*call))
                        calls.push_back(call);
        }
        if (marks.empty())
                return;
        IRBuilder<> b(&*f.getEntryBlock().getFirstInsertionPt());
        struct word w = {word_of(*f.getParent()), b.CreateAlloca(b.getInt64Ty()), b.getInt64Ty(), {}, {}};
        find_shows(w, f);
        make_plan(plan, w, f);
        reload(w, w.copy->getNextNode());
        for (CallBase *call : calls)
                reload_behind(w, call);
        append_pending(w, plan);
        for (CallInst *mark : marks)
                replace(w, plan, mark);
        store_before_others_see(w, f);
        DominatorTree dominators(f);
        PromoteMemToReg({w.copy}, dominators);
        drop_unused(f, w.memory);
}
