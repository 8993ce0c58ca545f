/*
 * The site table.
 *
 * A record has the place of an access (file, line, column: what the line table gives for the call of its hook), its basic
 * block, and its expression, made from the variable that the address comes from, the members on the way, and debug
 * information; of a call that returns a pointer, the type that the result is used as.  What cannot be said for certain
 * is omitted: a variable index whose element is not clear, members of a union, bit-fields, names of the library.
 *
 * The section is not loaded: its name makes it debug information, which the linker keeps apart.  This file is C++ because
 * LLVM's C API knows nothing of the variables, members and tags of debug information.
 */
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <string>

extern "C" {
#include "instrument/sites.h"
}

using namespace llvm;

namespace
{

constexpr unsigned max_depth = 16, max_text = 120;

/* An object in memory, in the words of the source. */
struct Object {
        std::string text;             /* "q", "s.head" */
        const DIType *type = nullptr; /* NULL: nothing is known */
        bool pointed = false;         /* the text is a pointer to it: "q" for *q */
        uint64_t offset = 0;          /* of the access in it, bytes */
};

bool is_tag(const DIType *t, unsigned tag)
{
        return t && t->getTag() == tag;
}

/* Without typedefs and qualifiers. */
const DIType *peel(const DIType *t)
{
        for (unsigned i = 0; i < 64; i++) {
                auto *d = dyn_cast_or_null<DIDerivedType>(t);
                if (!d || !(is_tag(d, dwarf::DW_TAG_typedef) || is_tag(d, dwarf::DW_TAG_const_type) ||
                            is_tag(d, dwarf::DW_TAG_volatile_type) || is_tag(d, dwarf::DW_TAG_restrict_type) ||
                            is_tag(d, dwarf::DW_TAG_atomic_type)))
                        return t;
                t = d->getBaseType();
        }
        return nullptr;
}

bool is_reference(const DIType *t)
{
        return is_tag(t, dwarf::DW_TAG_reference_type) || is_tag(t, dwarf::DW_TAG_rvalue_reference_type);
}

/* What a pointer or reference points to, typedefs kept. */
const DIType *pointee(const DIType *t)
{
        t = peel(t);
        if (is_tag(t, dwarf::DW_TAG_pointer_type) || is_reference(t))
                return cast<DIDerivedType>(t)->getBaseType();
        return nullptr;
}

uint64_t bytes(const DIType *t)
{
        t = peel(t);
        return t ? t->getSizeInBits() / 8 : 0;
}

/* Names that the language reserves belong to the library. */
bool reserved(StringRef name)
{
        return name.size() > 1 && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* The name of a type for people, "ns::node"; "": it has none. */
std::string type_name(const DIType *t)
{
        std::string name;

        while (t && t->getName().empty() && isa<DIDerivedType>(t) && peel(t) != t)
                t = cast<DIDerivedType>(t)->getBaseType();
        if (!t || t->getName().empty() || reserved(t->getName()))
                return "";
        name = t->getName().str();
        for (auto *scope = t->getScope(); scope && (isa<DINamespace>(scope) || isa<DICompositeType>(scope));
             scope = scope->getScope()) {
                if (reserved(scope->getName()) || scope->getName().empty())
                        return "";
                name = scope->getName().str() + "::" + name;
        }
        return StringRef(name).startswith("std::") ? "" : name;
}

/* Enters the member of a structure that the offset is in. */
bool enter_member(Object &o, const DICompositeType *c)
{
        for (auto *element : c->getElements()) {
                auto *m = dyn_cast<DIDerivedType>(element);
                if (!m || m->isStaticMember())
                        continue;
                bool base = is_tag(m, dwarf::DW_TAG_inheritance);
                uint64_t at = m->getOffsetInBits() / 8, size = bytes(m->getBaseType());
                if ((!base && !is_tag(m, dwarf::DW_TAG_member)) || o.offset < at || o.offset - at >= size)
                        continue;
                if (m->isBitField() || m->isVirtual() || reserved(m->getName()))
                        return false;
                if (!base && !m->getName().empty()) {
                        o.text += (o.pointed ? "->" : ".") + m->getName().str();
                        o.pointed = false;
                }
                o.offset -= at;
                o.type = m->getBaseType();
                return true;
        }
        return false;
}

std::string whole(const Object &o)
{
        return o.pointed ? "*" + o.text : o.text;
}

/* Appends [index] for an element of an array, or of what a pointer points to. */
void enter_element(Object &o, const DIType *element, const std::string &index)
{
        o.text += "[" + index + "]";
        o.pointed = false;
        o.type = element;
}

/* One step towards what is accessed; false: there is none. */
bool enter(Object &o)
{
        auto *c = dyn_cast_or_null<DICompositeType>(peel(o.type));

        if (!c)
                return false;
        if (is_tag(c, dwarf::DW_TAG_array_type)) {
                uint64_t size = bytes(c->getBaseType());
                if (!size || c->getElements().size() != 1 || o.pointed)
                        return false;
                enter_element(o, c->getBaseType(), std::to_string(o.offset / size));
                o.offset %= size;
                return true;
        }
        return (is_tag(c, dwarf::DW_TAG_structure_type) || is_tag(c, dwarf::DW_TAG_class_type)) && enter_member(o, c);
}

/* Descends to the part that has this size at the offset; false: it is not clear. */
bool descend(Object &o, uint64_t size)
{
        for (unsigned i = 0; i < max_depth && o.type; i++) {
                if (o.offset == 0 && bytes(o.type) == size && !isa<DICompositeType>(peel(o.type)))
                        return true;
                if (!enter(o))
                        return o.offset == 0 && bytes(o.type) >= size && size;
        }
        return false;
}

Object describe(Value *v, unsigned depth);

/* The variable whose address this is: a local, or a global one. */
bool variable_at(Value *v, Object &o)
{
        SmallVector<DIGlobalVariableExpression *, 1> globals;

        if (auto *g = dyn_cast<GlobalVariable>(v))
                g->getDebugInfo(globals);
        if (!globals.empty() && !globals[0]->getExpression()->getNumElements()) {
                o.text = globals[0]->getVariable()->getName().str();
                o.type = globals[0]->getVariable()->getType();
                return true;
        }
        if (!isa<AllocaInst>(v))
                return false;
        for (auto *d : FindDbgDeclareUses(v))
                if (!d->getExpression()->getNumElements()) {
                        o.text = d->getVariable()->getName().str();
                        o.type = d->getVariable()->getType();
                        return true;
                }
        return false;
}

/* The variable whose value this is. */
bool variable_of(Value *v, Object &o)
{
        SmallVector<DbgValueInst *, 4> values;

        if (isa<Constant>(v))
                return false;
        findDbgValues(values, v);
        for (auto *d : values)
                if (!d->getExpression()->getNumElements() && !d->getVariable()->getName().empty()) {
                        o.text = d->getVariable()->getName().str();
                        o.type = d->getVariable()->getType();
                        return true;
                }
        return false;
}

/* The value in words, of an integer or pointer; "": not clear. */
std::string value_of(Value *v, unsigned depth, const DIType **type)
{
        Object o;

        while (isa<CastInst>(v) && depth++ < max_depth)
                v = cast<CastInst>(v)->getOperand(0);
        if (auto *c = dyn_cast<ConstantInt>(v))
                return std::to_string(c->getSExtValue());
        if (variable_of(v, o)) {
                *type = o.type;
                return o.text;
        }
        auto *load = dyn_cast<LoadInst>(v);
        if (!load || depth >= max_depth)
                return "";
        o = describe(load->getPointerOperand(), depth + 1);
        if (!descend(o, load->getType()->isPointerTy() ? 8 : (load->getType()->getPrimitiveSizeInBits() + 7) / 8))
                return "";
        *type = o.type;
        return whole(o);
}

/* An index that is not constant: the object must be an array, or pointed to, with elements of this size. */
bool enter_variable(Object &o, Value *index, uint64_t stride, unsigned depth)
{
        const DIType *unused = nullptr;
        std::string text = value_of(index, depth + 1, &unused);

        for (unsigned i = 0; i < max_depth && o.type; i++) {
                auto *c = dyn_cast_or_null<DICompositeType>(peel(o.type));
                if (o.offset == 0 && o.pointed && bytes(o.type) == stride) {
                        enter_element(o, o.type, text);
                        return !text.empty();
                }
                if (o.offset == 0 && !o.pointed && c && is_tag(c, dwarf::DW_TAG_array_type) &&
                    c->getElements().size() == 1 && bytes(c->getBaseType()) == stride) {
                        enter_element(o, c->getBaseType(), text);
                        return !text.empty();
                }
                if (!enter(o))
                        return false;
        }
        return false;
}

Object element(GEPOperator *g, unsigned depth)
{
        const DataLayout *layout = nullptr;
        Object o = describe(g->getPointerOperand(), depth + 1);

        if (auto *i = dyn_cast<Instruction>(g))
                layout = &i->getModule()->getDataLayout();
        for (auto t = gep_type_begin(g), end = gep_type_end(g); o.type && t != end; ++t) {
                auto *constant = dyn_cast<ConstantInt>(t.getOperand());
                if (!layout) {
                        o.type = nullptr;
                } else if (auto *s = t.getStructTypeOrNull()) {
                        o.offset += layout->getStructLayout(s)->getElementOffset((unsigned)constant->getZExtValue());
                } else {
                        uint64_t stride = layout->getTypeAllocSize(t.getIndexedType()).getKnownMinValue();
                        if (constant)
                                o.offset += (uint64_t)constant->getSExtValue() * stride;
                        else if (!enter_variable(o, t.getOperand(), stride, depth))
                                o.type = nullptr;
                }
        }
        return o;
}

/* A part of a global variable, of which all indices are constant. */
Object constant_element(Value *v)
{
        auto *base = dyn_cast<GlobalVariable>(v->stripInBoundsConstantOffsets());
        APInt offset(64, 0);
        Object o;

        if (!base || v->stripAndAccumulateConstantOffsets(base->getParent()->getDataLayout(), offset, true) != base ||
            !variable_at(base, o))
                return Object();
        o.offset = offset.getZExtValue();
        return o;
}

/* The object that a pointer points to. */
Object describe(Value *v, unsigned depth)
{
        Object o;
        const DIType *type = nullptr;

        if (depth >= max_depth)
                return o;
        v = v->stripPointerCastsSameRepresentation();
        if (variable_at(v, o))
                return o;
        if (auto *g = dyn_cast<GEPOperator>(v)) {
                if (isa<ConstantExpr>(v))
                        return constant_element(v);
                return element(g, depth);
        }
        o.text = value_of(v, depth, &type);
        o.type = pointee(type);
        o.pointed = o.type && !is_reference(peel(type));
        if (o.text.empty())
                o.type = nullptr;
        return o;
}

/* The type that the result of a call is used as. */
std::string used_as(CallBase *call)
{
        Object o;

        if (auto *node = call->getMetadata("heapallocsite"))
                if (auto *t = dyn_cast<DIType>(node))
                        return type_name(t);
        SmallVector<Value *, 4> values{call};
        for (unsigned i = 0; i < values.size() && i < max_depth; i++) {
                if (variable_of(values[i], o))
                        return type_name(pointee(o.type));
                for (auto *u : values[i]->users()) {
                        auto *store = dyn_cast<StoreInst>(u);
                        if (isa<BitCastInst>(u))
                                values.push_back(u);
                        if (!store || store->getValueOperand() != values[i])
                                continue;
                        o = describe(store->getPointerOperand(), 0);
                        if (descend(o, 8) && pointee(o.type))
                                return type_name(pointee(o.type));
                }
        }
        return "";
}

class Table
{
        std::string out, file, function;

        void line(char what, const DebugLoc &at, unsigned block, StringRef name, const std::string &text)
        {
                StringRef path = at->getFilename();
                StringRef base = path.substr(path.find_last_of('/') + 1);

                if (file != base)
                        put("F " + (file = base.str()));
                if (function != name)
                        put("f " + (function = name.str()));
                put(std::string(1, what) + " " + std::to_string(at.getLine()) + " " + std::to_string(at.getCol()) +
                    " " + std::to_string(block) + " " + text);
        }

        /* Each line is a directive of its own. */
        void put(const std::string &text)
        {
                out += ".ascii \"";
                for (unsigned char c : text)
                        if (c == '"' || c == '\\')
                                out += {'\\', (char)c};
                        else if (c >= ' ' && c < 127)
                                out += (char)c;
                out += "\\n\"\n";
        }

        void access(char what, Instruction &i, Value *pointer, uint64_t size, unsigned block)
        {
                Object o;

                if (!i.getDebugLoc() || !i.getDebugLoc().getLine() || isa<AllocaInst>(pointer->stripPointerCasts()))
                        return;
                o = describe(pointer, 0);
                std::string text = descend(o, size) ? whole(o) : "";
                if (text.size() > max_text)
                        text.clear();
                line(what, i.getDebugLoc(), block, i.getFunction()->getName(), text);
        }

        void instruction(Instruction &i, const DataLayout &layout, unsigned block)
        {
                auto size = [&](Type *t) { return (uint64_t)layout.getTypeStoreSize(t).getKnownMinValue(); };

                if (auto *l = dyn_cast<LoadInst>(&i)) {
                        access('r', i, l->getPointerOperand(), size(l->getType()), block);
                } else if (auto *s = dyn_cast<StoreInst>(&i)) {
                        access('w', i, s->getPointerOperand(), size(s->getValueOperand()->getType()), block);
                } else if (auto *u = dyn_cast<AtomicRMWInst>(&i)) {
                        access('w', i, u->getPointerOperand(), size(u->getType()), block);
                } else if (auto *x = dyn_cast<AtomicCmpXchgInst>(&i)) {
                        uint64_t n = size(x->getNewValOperand()->getType());
                        access('r', i, x->getPointerOperand(), n, block);
                        access('w', i, x->getPointerOperand(), n, block);
                } else if (auto *c = dyn_cast<CallBase>(&i)) {
                        call(*c, block);
                }
        }

        void call(CallBase &c, unsigned block)
        {
                if (!c.getType()->isPointerTy() || !c.getDebugLoc() || !c.getDebugLoc().getLine())
                        return;
                std::string type = used_as(&c);
                if (!type.empty())
                        line('a', c.getDebugLoc(), block, c.getFunction()->getName(), type);
        }

      public:
        void add(Function &f)
        {
                unsigned block = 0;

                for (BasicBlock &b : f) {
                        for (Instruction &i : b)
                                instruction(i, f.getParent()->getDataLayout(), block);
                        block++;
                }
        }

        std::string section() const
        {
                return out.empty() ? out : ".pushsection .debug_heddle_sites,\"\",@progbits\n" + out + ".popsection\n";
        }
};

} // namespace

void sites_record(LLVMModuleRef module)
{
        Module &m = *unwrap(module);
        Table table;

        for (Function &f : m)
                if (!f.isDeclaration() && f.hasFnAttribute(Attribute::SanitizeThread) && f.getSubprogram() &&
                    !f.hasAvailableExternallyLinkage())
                        table.add(f);
        if (!table.section().empty())
                m.appendModuleInlineAsm(table.section());
}
