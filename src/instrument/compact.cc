/* See compact.h. */
#include "instrument/compact.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

extern "C" {
#include "wire/inline.h"
}

#include "instrument/runtime.h"

using namespace llvm;
using heddle::Compact;

/* What counts is in r10, and the mark in r11, by name: copies that LLVM 14 makes of a statement lose that an operand must be in the
 * register of another.  Each name costs a search of all registers.  These two are neither arguments nor pushed to align the stack, which
 * clang does with rax: their values are not the same in each round and in each execution. */
static const char clobbers[] = "~{memory},~{flags}";

static bool is_kept(Type *t)
{
        return !t->isX86_FP80Ty() && !t->isX86_MMXTy() && !t->isFP128Ty() && !t->isPPC_FP128Ty();
}

/* Does it name registers of x87 or MMX?  Letters: f, t, u, y; or st. */
static bool uses_others(const InlineAsm &a)
{
        SmallVector<StringRef, 8> all;

        StringRef(a.getConstraintString()).split(all, ',');
        for (StringRef each : all)
                if (!each.startswith("~") && each.find_first_of("ftuy") != StringRef::npos)
                        return true;
        return false;
}

/* Are all its values in registers that the runtime keeps? */
static bool keeps(const Function &f)
{
        StringRef features = f.getFnAttribute("target-features").getValueAsString();

        if (features.contains("+avx") || features.contains("-sse") || features.contains("-x87"))
                return false;
        for (const Argument &a : f.args())
                if (!is_kept(a.getType()))
                        return false;
        for (const Instruction &i : instructions(f)) {
                const auto *call = dyn_cast<CallBase>(&i);
                const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;

                if (assembly && uses_others(*assembly))
                        return false;
                if (!is_kept(i.getType()) || isa<CallBrInst>(i))
                        return false;
                for (const Use &u : i.operands())
                        if (!is_kept(u->getType()))
                                return false;
        }
        return is_kept(f.getReturnType());
}

/* Of struct wire_now. */
static std::string field(size_t offset)
{
        return std::to_string(WIRE_NOW + offset);
}

/* Calls the runtime unless this jump is taken, which is over 14 bytes: no assembler may change their number.  The word is about `base`, an
 * operand of the statement.  The instruction is as long for each base because of its index. */
static std::string call_unless(unsigned jump, unsigned word, const std::string &base, bool counts)
{
        return ".byte " + std::to_string(jump) + ",14,232\n\t.long __heddle_access_at_here-.-4\n\tnopl " +
               std::to_string(word | WIRE_AT_FAR) + "(" + base + (counts ? ",%r10)" : ",%r11)");
}
#define JB  0x72
#define JE  0x74
#define JNS 0x79

Compact::Compact(Function &function) : f(function), i64(Type::getInt64Ty(function.getContext())), is(keeps(function))
{
}

void Compact::begin()
{
        Module &m = *f.getParent();

        f.addFnAttr(Attribute::NoRedZone); /* calls are not seen */
        f.removeFnAttr(Attribute::AlwaysInline);
        f.addFnAttr(Attribute::NoInline); /* where values may be in other registers, by optimisation at link time */
        if (!m.getFunction("__heddle_access_at_here"))
                appendToCompilerUsed(m, {heddle::way(m, "__heddle_access_at")});
}

CallInst *Compact::statement(Instruction *before, const std::string &text, const std::string &constraints, Type *result,
                             ArrayRef<Value *> in)
{
        IRBuilder<> b(before);
        SmallVector<Type *, 2> types;

        for (Value *v : in)
                types.push_back(v->getType());
        FunctionType *type = FunctionType::get(result ? result : Type::getVoidTy(f.getContext()), types, false);
        CallInst *call = b.CreateCall(type, InlineAsm::get(type, text, constraints + clobbers, true), in);
        call->setDoesNotThrow();
        call->setDebugLoc(before->getDebugLoc());
        return call;
}

bool Compact::fits(const Access &a)
{
        return a.size <= 8 && a.rest <= WIRE_AT_MOST && a.behind >= -WIRE_AT_NEAR && a.behind < WIRE_AT_NEAR;
}

CallInst *Compact::check(Instruction *before, const Access &a, State &now)
{
        bool whole = a.in_word >= 0, counts = now.left;
        std::string base = counts ? "$2" : "$1", shadow = whole ? base : counts ? "$3" : "$2";
        unsigned word = Log2_32(a.size) | (a.write ? WIRE_AT_WRITE : 0) | a.rest << WIRE_AT_REST;
        SmallVector<Value *, 4> in = {a.base};

        if (whole)
                word |= WIRE_AT_SHADOW | (unsigned)(a.behind + WIRE_AT_NEAR) << WIRE_AT_BEHIND;
        else
                in.push_back(a.shadow);
        in.push_back(now.mark);
        if (counts)
                in.push_back(now.left);
        CallInst *call =
                statement(before,
                          "cmpq %r11," + std::to_string((whole ? a.behind - a.in_word : 0) + WIRE_SHADOW_SKEW) + "(" +
                                  shadow + ")\n\t" + call_unless(JE, word, base, counts),
                          std::string(counts ? "={r11},={r10}" : "={r11}") + (whole ? ",r,{r11}," : ",r,r,{r11},") +
                                  (counts ? "{r10}," : ""),
                          counts ? (Type *)StructType::get(i64, i64) : i64, in);
        IRBuilder<> b(before);

        now.mark = counts ? b.CreateExtractValue(call, 0) : call;
        now.left = counts ? b.CreateExtractValue(call, 1) : nullptr;
        return call;
}

CallInst *Compact::count(Instruction *before, unsigned n, State &now)
{
        std::string text = "subq $$" + std::to_string(n) + ",";

        if (now.left) {
                CallInst *call = statement(before, text + "%r10\n\t" + call_unless(JNS, WIRE_AT_LOOK, "%r10", true),
                                           "={r10},{r10},", i64, {now.left});
                now.left = call;
                return call;
        }
        return statement(before,
                         text + field(offsetof(struct wire_now, left)) + "\n\t" +
                                 call_unless(JNS, WIRE_AT_LOOK, "%rax", false),
                         "", nullptr, {});
}

/* Where the runtime notes it by itself, it says what to overwrite. */
void Compact::begins(Instruction *before, Value *site, Value *frame)
{
        std::string n = field(offsetof(struct wire_now, n_calls));
        static_assert(sizeof(struct wire_call) == 24 && offsetof(struct wire_call, site) == 0 &&
                              offsetof(struct wire_call, frame) == 8,
                      "the text says the same");

        statement(before,
                  "movq " + n + ",%r11\n\tleaq (%r11,%r11,2),%r10\n\tshlq $$3,%r10\n\taddq " +
                          field(offsetof(struct wire_now, calls)) + ",%r10\n\tcmpq " +
                          field(offsetof(struct wire_now, most_calls)) + ",%r11\n\t" +
                          call_unless(JB, WIRE_AT_ENTER, "$0", false) +
                          "\n\tmovq $0,(%r10)\n\tmovq $1,8(%r10)\n\tincq %r11\n\tmovq %r11," + n,
                  "r,r,~{r10},~{r11},", nullptr, {site, frame});
}

void Compact::ends(Instruction *before)
{
        std::string n = field(offsetof(struct wire_now, n_calls));

        statement(before,
                  "movq " + n + ",%r11\n\tdecq %r11\n\tmovq %r11," + n + "\n\tcmpq " +
                          field(offsetof(struct wire_now, most_calls)) + ",%r11\n\t" +
                          call_unless(JB, WIRE_AT_LEAVE, "%r11", false),
                  "~{r11},", nullptr, {});
}
