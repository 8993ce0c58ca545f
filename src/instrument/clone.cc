/*
 * Copies functions and marks them, for which LLVM's C API has no call.
 *
 * A function is not copied if its code must exist once: inline assembly that defines symbols, a section that the program chose,
 * calls that must not be duplicated, labels whose addresses other functions may use.  Nor is one whose arguments cannot be handed
 * on.
 */
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cctype>

extern "C" {
#include "instrument/clone.h"
}

using namespace llvm;

static const char section[] = "heddle_plain";

/* Does the text define a symbol, as far as a colon tells?  Numbered labels and those with a unique number may be copied. */
static bool defines_symbol(const std::string &text)
{
        for (size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
                size_t begin = colon;
                bool number = true;

                if (colon && text[colon - 1] == '{')
                        continue; /* ${:uid} */
                while (begin && (isalnum((unsigned char)text[begin - 1]) || strchr("_.$}", text[begin - 1])))
                        number &= isdigit((unsigned char)text[--begin]) != 0;
                if (begin < colon && !number && text[colon - 1] != '}')
                        return true;
        }
        return text.find(".set") != std::string::npos || text.find(".globl") != std::string::npos ||
               text.find(".symver") != std::string::npos;
}

static bool exists_once(const Instruction &i)
{
        const auto *call = dyn_cast<CallBase>(&i);
        const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;

        return call && (call->cannotDuplicate() || (assembly && defines_symbol(assembly->getAsmString())));
}

/* Is the variable only read?  Then it may exist twice. */
static bool only_read(Value *v)
{
        for (User *u : v->users())
                if (!isa<LoadInst>(u) && !((isa<GEPOperator>(u) || isa<BitCastOperator>(u)) && only_read(u)))
                        return false;
        return true;
}

/* Variables that hold addresses of labels of the function, all used by it alone.  False: other code may use an address. */
static bool tables_of(Function &f, SmallPtrSetImpl<GlobalVariable *> &tables)
{
        SmallVector<Value *, 16> todo;

        for (BasicBlock &b : f)
                if (b.hasAddressTaken())
                        todo.push_back(BlockAddress::get(&f, &b));
        while (!todo.empty())
                for (User *u : todo.pop_back_val()->users()) {
                        auto *i = dyn_cast<Instruction>(u);
                        auto *table = dyn_cast<GlobalVariable>(u);

                        if (i && i->getFunction() == &f)
                                continue;
                        if (i || (table && !table->hasLocalLinkage()) || (isa<GlobalValue>(u) && !table))
                                return false;
                        if (table && !table->isConstant() && !only_read(table))
                                return false;
                        if (!table || tables.insert(table).second)
                                todo.push_back(u);
                }
        return true;
}

/* A tail call that must be one overwrites arguments by value that it still has to copy (LLVM 14 and 16). */
static bool has_by_value(const Function &f)
{
        for (const Argument &a : f.args())
                if (a.hasPassPointeeByValueCopyAttr())
                        return true;
        return false;
}

/* A tail call that must be one hands on registers that are none, where there are vectors of more than 16 bytes (LLVM 14). */
static bool has_wide_vectors(const Function &f)
{
        return f.getFnAttribute("target-features").getValueAsString().contains("+avx");
}

static bool may_be_copied(Function &f, SmallPtrSetImpl<GlobalVariable *> &tables)
{
        if (f.hasSection() || f.hasPrefixData() || f.hasPrologueData() ||
            (f.isVarArg() && (has_by_value(f) || has_wide_vectors(f))))
                return false;
        for (const Instruction &i : instructions(f))
                if (exists_once(i))
                        return false;
        return tables_of(f, tables);
}

LLVMValueRef clone_plain(LLVMValueRef function)
{
        Function *f = unwrap<Function>(function);
        SmallPtrSet<GlobalVariable *, 4> tables;
        ValueToValueMapTy map;

        if (!may_be_copied(*f, tables))
                return nullptr;
        for (GlobalVariable *t : tables) {
                auto *copy = new GlobalVariable(*f->getParent(), t->getValueType(), t->isConstant(), t->getLinkage(),
                                                nullptr, t->getName() + ".plain", t);
                copy->copyAttributesFrom(t);
                map[t] = copy;
        }
        Function *plain = CloneFunction(f, map);
        for (GlobalVariable *t : tables)
                cast<GlobalVariable>(map[t])->setInitializer(MapValue(t->getInitializer(), map));
        plain->setName(f->getName() + ".plain");
        plain->setLinkage(GlobalValue::InternalLinkage);
        plain->setVisibility(GlobalValue::DefaultVisibility);
        plain->setDSOLocal(true);
        plain->setComdat(f->getComdat());
        plain->setSection(section);
        return wrap(plain);
}

/* The definition here must be the one that is called, and a group of sections is not reached from outside. */
void clone_call(LLVMValueRef function, LLVMValueRef plain)
{
        Function *f = unwrap<Function>(function);

        if (f->isInterposable() || !(f->hasLocalLinkage() || f->isDSOLocal()))
                return;
        for (Use &u : make_early_inc_range(f->uses())) {
                auto *call = dyn_cast<CallBase>(u.getUser());
                Function *caller = call && call->isCallee(&u) ? call->getFunction() : nullptr;

                if (caller && caller->getSection() == section &&
                    (!f->hasComdat() || f->getComdat() == caller->getComdat()))
                        u.set(unwrap(plain));
        }
}

/* Variables of fixed size stay in the first block. */
static Instruction *behind_variables(BasicBlock &entry)
{
        Instruction *first = &*entry.getFirstInsertionPt();

        for (Instruction &i : make_early_inc_range(entry)) {
                auto *variable = dyn_cast<AllocaInst>(&i);
                if (variable && isa<ConstantInt>(variable->getArraySize())) {
                        if (variable == first)
                                first = first->getNextNode();
                        else
                                variable->moveBefore(first);
                }
        }
        return first;
}

/* Attributes of arguments and result, which decide how they are passed. */
static AttributeList passing(const Function &f)
{
        AttributeList all = f.getAttributes();

        return all.removeFnAttributes(f.getContext());
}

void clone_dispatch(LLVMValueRef function, LLVMValueRef plain)
{
        Function *f = unwrap<Function>(function);
        LLVMContext &c = f->getContext();
        Constant *checked = f->getParent()->getOrInsertGlobal("__heddle_checked", Type::getInt8Ty(c));
        BasicBlock &entry = f->getEntryBlock();
        BasicBlock *watched = SplitBlock(&entry, behind_variables(entry));
        BasicBlock *outside = BasicBlock::Create(c, "", f);
        SmallVector<Value *, 8> args;

        entry.getTerminator()->eraseFromParent();
        IRBuilder<> b(&entry);
        b.CreateCondBr(b.CreateIsNull(b.CreateLoad(Type::getInt8Ty(c), checked)), outside, watched);
        b.SetInsertPoint(outside);
        if (DISubprogram *s = f->getSubprogram()) /* of no line: a breakpoint at the function must not be here */
                b.SetCurrentDebugLocation(DILocation::get(c, 0, 0, s));
        for (Argument &a : f->args())
                args.push_back(&a);
        CallInst *call = b.CreateCall(f->getFunctionType(), unwrap(plain), args);
        call->setTailCallKind(has_by_value(*f) ? CallInst::TCK_NoTail : CallInst::TCK_MustTail);
        call->setCallingConv(f->getCallingConv());
        call->setAttributes(passing(*f));
        if (f->getReturnType()->isVoidTy())
                b.CreateRetVoid();
        else
                b.CreateRet(call);
}

/* As many bytes as functions are aligned to, with the one that ends the text. */
static const char mark[16] = "heddle: checked", mark_of_all[] = "heddle: checked\1";

void clone_mark(LLVMValueRef function, bool all)
{
        Function *f = unwrap<Function>(function);
        StringRef data(all ? mark_of_all : mark, sizeof mark);

        if (!f->hasPrefixData())
                f->setPrefixData(ConstantDataArray::getString(f->getContext(), data, false));
}
