/* See path.h.  A thread's word has a 1 before its first bit, which comes to the top when 63 bits are in it. */
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CaptureTracking.h>
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

#include <cstring>
#include <dlfcn.h>

extern "C" {
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

bool path_is_mark(const char *callee)
{
        return strcmp(callee, branch_hook) == 0 || strcmp(callee, call_hook) == 0;
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

void path_mark(LLVMValueRef function)
{
        Function *f = unwrap<Function>(function);
        SmallVector<Instruction *, 64> found;

        for (Instruction &i : instructions(f)) {
                auto *branch = dyn_cast<BranchInst>(&i);
                auto *call = dyn_cast<CallBase>(&i);

                if ((branch && branch->isConditional() && !isa<Constant>(branch->getCondition()) &&
                     !is_decided(branch->getCondition())) ||
                    isa<SwitchInst>(i) || (call && through_pointer(*call)))
                        found.push_back(&i);
        }
        for (Instruction *i : found) {
                if (auto *branch = dyn_cast<BranchInst>(i))
                        announce(i, branch->getCondition(), 1);
                else if (auto *choice = dyn_cast<SwitchInst>(i))
                        announce(i, choice->getCondition(), choice->getNumCases() < few_cases ? bits_few : bits_many);
                else
                        announce_call(cast<CallBase>(i));
        }
}

static GlobalVariable *word_of(Module &m)
{
        Type *type = Type::getInt64Ty(m.getContext());
        auto *word = cast<GlobalVariable>(m.getOrInsertGlobal("__heddle_path", type));

        word->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
        return word;
}

/*
 * The word of a thread in a function: its bits are kept in a register, so that a loop does not wait for its own stores.  They are
 * stored before the next instruction that others can see, or that may fail: a path is known up to there.  What is called
 * changes the word, and is followed by a load.
 */
struct word {
        GlobalVariable *memory;
        AllocaInst *copy;
        Type *type;
        SmallPtrSet<Instruction *, 32> changes; /* stores of the copy that the memory does not have yet */
};

static void reload(const struct word &w, Instruction *before)
{
        IRBuilder<> b(before);

        b.CreateStore(b.CreateLoad(w.type, w.memory), w.copy);
}

/* Appends a bit, before an instruction. */
static void append(struct word &w, Value *bit, Instruction *before, const DebugLoc &place)
{
        Module &m = *before->getModule();
        IRBuilder<> b(before);
        Value *with = b.CreateOr(b.CreateShl(b.CreateLoad(w.type, w.copy), 1), bit);

        w.changes.insert(b.CreateStore(with, w.copy));
        Value *full = b.CreateICmpSLT(with, b.getInt64(0));
        MDNode *rare = MDBuilder(m.getContext()).createBranchWeights(1, 100000);
        Instruction *then = SplitBlockAndInsertIfThen(full, before, false, rare);
        IRBuilder<> slow(then);
        slow.SetCurrentDebugLocation(place);
        FunctionCallee hook = m.getOrInsertFunction("__heddle_path_full", slow.getVoidTy());
        cast<Function>(hook.getCallee())->addFnAttr(Attribute::NonLazyBind); /* the loader does not preserve r10 */
        auto *call = slow.CreateCall(hook);
        call->setDoesNotThrow();
        call->setCallingConv(CallingConv::PreserveMost);
        reload(w, then);
}

/* Where the mark is right before its branch, each way of the branch appends a constant. */
static void expand(struct word &w, CallInst *mark)
{
        auto *branch = dyn_cast<BranchInst>(mark->getNextNode());
        DebugLoc place = mark->getDebugLoc();
        Type *type = w.type;

        if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
                append(w, mark->getArgOperand(0), mark, place);
        } else {
                BasicBlock *to[2] = {branch->getSuccessor(0), branch->getSuccessor(1)};
                for (unsigned i = 0; i < 2; i++) {
                        BasicBlock *edge = SplitEdge(branch->getParent(), to[i]);
                        append(w, ConstantInt::get(type, i == 0), edge->getTerminator(), place);
                }
        }
        mark->eraseFromParent();
}

static bool changes_word(const CallBase &call)
{
        return !isa<IntrinsicInst>(call) && !call.isInlineAsm();
}

/* Behind a call: where it may continue. */
static void reload_behind(const struct word &w, CallBase *call)
{
        if (auto *i = dyn_cast<CallInst>(call)) {
                if (!i->isMustTailCall())
                        reload(w, i->getNextNode());
                return;
        }
        for (unsigned i = 0; i < call->getNumSuccessors(); i++) {
                BasicBlock *next = call->getSuccessor(i);
                if (next->getFirstInsertionPt() != next->end())
                        reload(w, &*next->getFirstInsertionPt());
        }
}

/* Memory that is there, and of this function alone. */
static bool is_own(const Value *pointer)
{
        const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));

        return variable && !PointerMayBeCaptured(variable, true, true);
}

static bool is_there(const Value *pointer)
{
        const Value *object = getUnderlyingObject(pointer);

        return isa<AllocaInst>(object) || isa<GlobalVariable>(object);
}

/* Can others see this instruction, or may it fail? */
static bool shows(const Instruction &i)
{
        if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&i))
                return intrinsic->mayReadOrWriteMemory() && !intrinsic->isAssumeLikeIntrinsic();
        if (const auto *load = dyn_cast<LoadInst>(&i))
                return !load->isSimple() || !is_there(load->getPointerOperand());
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

/* Goes through a block: is there a bit that the memory does not have at its end?  With `todo`: before which instructions? */
static bool pass_block(const struct word &w, BasicBlock &block, bool dirty, SmallVectorImpl<Instruction *> *todo)
{
        for (Instruction &i : block) {
                const auto *store = dyn_cast<StoreInst>(&i);
                const auto *load = dyn_cast<LoadInst>(&i);

                if (store && store->getPointerOperand() == w.copy) {
                        dirty = w.changes.contains(&i);
                } else if (dirty && !(load && load->getPointerOperand() == w.copy) && shows(i)) {
                        if (todo)
                                todo->push_back(&i);
                        dirty = false;
                }
        }
        return dirty;
}

static void store_before_others_see(const struct word &w, Function &f)
{
        DenseMap<BasicBlock *, bool> begin, end;
        SmallVector<Instruction *, 64> todo;
        bool again = true;

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
        for (BasicBlock &block : f)
                pass_block(w, block, begin[&block], &todo);
        for (Instruction *i : todo) {
                IRBuilder<> b(i);
                b.CreateStore(b.CreateLoad(w.type, w.copy), w.memory);
        }
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
        SmallVector<CallInst *, 64> found;
        SmallVector<CallBase *, 64> calls;

        for (Instruction &i : instructions(f)) {
                auto *call = dyn_cast<CallBase>(&i);
                Function *callee = call ? call->getCalledFunction() : nullptr;

                if (callee && callee->getName() == branch_hook && cast<ConstantInt>(call->getArgOperand(1))->isOne())
                        found.push_back(cast<CallInst>(call));
                else if (call && changes_word(*call))
                        calls.push_back(call);
        }
        if (found.empty())
                return;
        IRBuilder<> b(&*f.getEntryBlock().getFirstInsertionPt());
        struct word w = {word_of(*f.getParent()), b.CreateAlloca(b.getInt64Ty()), b.getInt64Ty(), {}};
        reload(w, w.copy->getNextNode());
        for (CallBase *call : calls)
                reload_behind(w, call);
        for (CallInst *mark : found)
                expand(w, mark);
        store_before_others_see(w, f);
        DominatorTree dominators(f);
        PromoteMemToReg({w.copy}, dominators);
        drop_unused(f, w.memory);
}
