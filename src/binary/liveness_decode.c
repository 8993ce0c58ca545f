/* See liveness_decode.h.  Which registers and memory an instruction reads and writes, and where the next one is. */
#include "binary/liveness_decode.h"

#include "base/deadline.h"
#include "base/search.h"

struct decoding {
        const struct liveness_code *f;
        struct insn *code;
        uint32_t n;
        bool failed;
};

static int8_t number_of(ZydisRegister r)
{
        ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

        return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64 ? (int8_t)ZydisRegisterGetId(whole) : (int8_t)-1;
}

static uint32_t bit_of(ZydisRegister r)
{
        int8_t i = number_of(r);

        return i < 0 ? 0 : BIT(i);
}

static void take_register(struct insn *i, const ZydisDecodedOperand *o)
{
        uint32_t bit = bit_of(o->reg.value);
        bool high = o->reg.value >= ZYDIS_REGISTER_AH && o->reg.value <= ZYDIS_REGISTER_BH;

        if (o->actions & X86_READS)
                i->use |= bit;
        if (o->actions & X86_READS && o->size == 64) /* a part of an address is none */
                i->leak |= bit;
        if (o->actions & X86_WRITES)
                i->writes |= bit;
        if (o->actions & ZYDIS_OPERAND_ACTION_WRITE && o->size >= 32 && !high)
                i->def |= bit;
        else if (o->actions & X86_WRITES)
                i->use |= bit;
}

static void take_memory(struct decoding *w, struct insn *i, const ZydisDecodedOperand *o)
{
        bool access = o->mem.type != ZYDIS_MEMOP_TYPE_AGEN;

        i->use |= bit_of(o->mem.base) | bit_of(o->mem.index);
        i->bases |= bit_of(o->mem.base) | bit_of(o->mem.index);
        if (!access)
                i->leak |= bit_of(o->mem.base) | bit_of(o->mem.index);
        if (!access || o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS)
                return;
        if (i->n_accesses == 2) {
                w->failed = true;
                return;
        }
        i->accesses[i->n_accesses++] = (struct access){
                .base = number_of(o->mem.base),
                .indexed = bit_of(o->mem.index) != 0,
                .reads = (o->actions & X86_READS) != 0,
                .writes = (o->actions & X86_WRITES) != 0,
                .kills = o->actions & ZYDIS_OPERAND_ACTION_WRITE && !(o->actions & X86_READS),
                .offset = (int32_t)(o->mem.disp.has_displacement ? o->mem.disp.value : 0),
                .size = o->size / 8,
        };
}

/* Copies of addresses, in the forms that compilers use. */
static void take_copy(struct insn *i, const ZydisDecodedInstruction *d, const ZydisDecodedOperand *o)
{
        bool to_register = d->operand_count_visible == 2 && o[0].type == ZYDIS_OPERAND_TYPE_REGISTER && o[0].size == 64;
        bool move = d->mnemonic == ZYDIS_MNEMONIC_MOV && o[0].size == 64;

        if (move && o[0].type == ZYDIS_OPERAND_TYPE_MEMORY && o[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
                i->stores = number_of(o[1].reg.value);
        if (move && to_register && o[1].type == ZYDIS_OPERAND_TYPE_MEMORY)
                i->loads = number_of(o[0].reg.value);
        if (!to_register)
                return;
        i->to = number_of(o[0].reg.value);
        if (d->mnemonic == ZYDIS_MNEMONIC_MOV && o[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
                i->from = number_of(o[1].reg.value);
        } else if (d->mnemonic == ZYDIS_MNEMONIC_LEA && o[1].mem.index == ZYDIS_REGISTER_NONE) {
                i->from = number_of(o[1].mem.base);
                i->add = (int32_t)o[1].mem.disp.value;
        } else if ((d->mnemonic == ZYDIS_MNEMONIC_ADD || d->mnemonic == ZYDIS_MNEMONIC_SUB) &&
                   o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
                i->from = i->to;
                i->add = (int32_t)(d->mnemonic == ZYDIS_MNEMONIC_ADD ? o[1].imm.value.s : -o[1].imm.value.s);
        }
}

/* Registers that are only compared, or get a value that does not depend on them. */
static void take_special(struct insn *i, const ZydisDecodedInstruction *d, const ZydisDecodedOperand *o)
{
        bool twins = d->operand_count_visible == 2 && o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                     o[1].type == ZYDIS_OPERAND_TYPE_REGISTER && o[0].reg.value == o[1].reg.value;

        if (twins && (d->mnemonic == ZYDIS_MNEMONIC_XOR || d->mnemonic == ZYDIS_MNEMONIC_SUB))
                i->use &= ~bit_of(o[0].reg.value);
        if (i->to < 0 || i->from < 0) {
                i->to = i->from = -1;
        } else {
                i->bases |= i->leak;
                i->leak = 0;
        }
        if (d->mnemonic == ZYDIS_MNEMONIC_CMP || d->mnemonic == ZYDIS_MNEMONIC_TEST)
                i->leak = 0;
        if (d->meta.category == ZYDIS_CATEGORY_SYSCALL || d->meta.category == ZYDIS_CATEGORY_INTERRUPT)
                i->use = i->leak = ALL; /* arguments that the instruction does not name */
        i->pushes = d->mnemonic == ZYDIS_MNEMONIC_PUSH;
        i->pops = d->mnemonic == ZYDIS_MNEMONIC_POP;
        i->string = d->meta.category == ZYDIS_CATEGORY_STRINGOP;
}

static bool only_computes(ZydisMnemonic m)
{
        static const ZydisMnemonic some[] = {
                ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_MOVZX, ZYDIS_MNEMONIC_MOVSX, ZYDIS_MNEMONIC_MOVSXD,
                ZYDIS_MNEMONIC_LEA, ZYDIS_MNEMONIC_ADD,   ZYDIS_MNEMONIC_SUB,   ZYDIS_MNEMONIC_INC,
                ZYDIS_MNEMONIC_DEC, ZYDIS_MNEMONIC_AND,   ZYDIS_MNEMONIC_OR,    ZYDIS_MNEMONIC_XOR,
                ZYDIS_MNEMONIC_NOT, ZYDIS_MNEMONIC_NEG,   ZYDIS_MNEMONIC_SHL,   ZYDIS_MNEMONIC_SHR,
                ZYDIS_MNEMONIC_SAR, ZYDIS_MNEMONIC_IMUL,  ZYDIS_MNEMONIC_CDQE,  ZYDIS_MNEMONIC_CDQ,
                ZYDIS_MNEMONIC_CQO, ZYDIS_MNEMONIC_CMP,   ZYDIS_MNEMONIC_TEST,
        };

        for (uint32_t k = 0; k < sizeof some / sizeof *some; k++)
                if (m == some[k])
                        return true;
        return false;
}

/* Status flags are like a register, which only an instruction that changes all of them defines. */
static void take_flags(struct insn *i, const ZydisDecodedInstruction *d)
{
        static const uint32_t all =
                ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
        const ZydisAccessedFlags *f = d->cpu_flags;
        uint32_t changed = f ? f->modified | f->set_0 | f->set_1 | f->undefined : 0;
        bool shift = d->mnemonic == ZYDIS_MNEMONIC_SHL || d->mnemonic == ZYDIS_MNEMONIC_SHR ||
                     d->mnemonic == ZYDIS_MNEMONIC_SAR; /* by 0 it changes none */

        if (f && f->tested & (all | ZYDIS_CPUFLAG_AF))
                i->use |= FLAGS;
        if (changed & (all | ZYDIS_CPUFLAG_AF))
                i->writes |= FLAGS;
        if ((changed & all) == all && !shift)
                i->def |= FLAGS;
}

static void take_flow(struct decoding *w, struct insn *i, const ZydisDecodedInstruction *d,
                      const ZydisDecodedOperand *o)
{
        uint64_t end = i->addr + d->length, target = 0, slot = 0;

        if (d->raw.imm[0].is_relative)
                target = end + (uint64_t)d->raw.imm[0].value.s;
        else if (d->operand_count_visible && o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
                 o[0].mem.base == ZYDIS_REGISTER_RIP)
                slot = end + (uint64_t)o[0].mem.disp.value;
        i->begins = d->mnemonic == ZYDIS_MNEMONIC_XBEGIN;
        i->use |= i->begins ? BIT(RAX) : 0;
        i->writes |= i->begins ? BIT(RAX) : 0;
        switch (x86_ends_transaction(d) ? ZYDIS_CATEGORY_INVALID : d->meta.category) {
        case ZYDIS_CATEGORY_CALL:
                i->flow = CALL;
                i->call = (uint8_t)w->f->call(w->f->arg, target, slot, &i->cas);
                w->failed |= i->call == LIVENESS_RETURNS_TWICE;
                break;
        case ZYDIS_CATEGORY_COND_BR: i->flow = BRANCH; break;
        case ZYDIS_CATEGORY_UNCOND_BR: i->flow = i->begins ? BRANCH : JUMP; break;
        case ZYDIS_CATEGORY_RET: i->flow = LEAVES; break;
        default: break;
        }
        i->target = NONE;
        if (i->flow == CALL || i->flow == NEXT)
                i->n_accesses = i->flow == CALL ? 0 : i->n_accesses;
        else if (target >= w->f->lo && target < w->f->hi)
                i->target = (uint32_t)(target - w->f->lo); /* becomes an index */
}

static void decode_one(struct decoding *w, const ZydisDecodedInstruction *d, const ZydisDecodedOperand *o,
                       uint64_t addr)
{
        struct insn *i = &w->code[w->n++];
        bool stack = d->mnemonic == ZYDIS_MNEMONIC_PUSH || d->mnemonic == ZYDIS_MNEMONIC_POP ||
                     d->mnemonic == ZYDIS_MNEMONIC_LEAVE || d->meta.category == ZYDIS_CATEGORY_CALL ||
                     d->meta.category == ZYDIS_CATEGORY_RET;
        uint32_t n = stack ? d->operand_count_visible : d->operand_count;

        *i = (struct insn){.addr = addr,
                           .length = d->length,
                           .mnemonic = (uint16_t)d->mnemonic,
                           .to = -1,
                           .from = -1,
                           .stores = -1,
                           .loads = -1};
        for (uint32_t k = 0; k < n && !x86_is_harmless(d); k++) {
                if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER)
                        take_register(i, &o[k]);
                else if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY)
                        take_memory(w, i, &o[k]);
        }
        take_copy(i, d, o);
        take_special(i, d, o);
        take_flags(i, d);
        i->computes = only_computes(d->mnemonic) && !(d->attributes & ZYDIS_ATTRIB_HAS_LOCK);
        take_flow(w, i, d, o);
}

uint32_t liveness_index(const struct insn *code, uint32_t n, uint64_t addr)
{
        uint32_t at = SEARCH(i, n, code[i].addr < addr);

        return at < n && code[at].addr == addr ? at : NONE;
}

bool liveness_decode(const struct liveness_code *f, struct insn *code, uint32_t room, uint32_t *n)
{
        ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
        struct decoding w = {.f = f, .code = code};
        ZydisDecodedInstruction d;
        ZydisDecoder decoder;

        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        for (uint64_t at = f->lo; at < f->hi && !w.failed; at += d.length) {
                if (w.n == room || late_soon() ||
                    !ZYAN_SUCCESS(
                            ZydisDecoderDecodeFull(&decoder, f->bytes + (at - f->lo), (size_t)(f->hi - at), &d, o)))
                        return false;
                decode_one(&w, &d, o, at);
        }
        for (uint32_t k = 0; k < w.n; k++)
                if (code[k].target != NONE) {
                        code[k].target = liveness_index(code, w.n, f->lo + code[k].target);
                        w.failed |= code[k].target == NONE;
                }
        *n = w.n;
        return !w.failed;
}

uint32_t liveness_place(const struct insn *code, uint32_t n, struct liveness_object *objects, uint32_t n_objects)
{
        int32_t rsp = 0, rbp = 0;
        uint32_t kept = 0;

        for (uint32_t i = 0; i < n; i++) {
                if (code[i].pushes)
                        rsp -= 8;
                else if (code[i].to == RSP && code[i].from == RSP)
                        rsp += code[i].add;
                else if (code[i].to == RBP && code[i].from == RSP)
                        rbp = rsp + code[i].add;
                else if (code[i].mnemonic != ZYDIS_MNEMONIC_ENDBR64)
                        break;
        }
        for (uint32_t i = 0; i < n_objects; i++) {
                struct liveness_object o = objects[i];
                int32_t base = o.base == LIVENESS_RBP ? rbp : o.base == LIVENESS_RSP ? rsp : 0;

                if (o.base == LIVENESS_ENTRY || base)
                        objects[kept++] = (struct liveness_object){o.lo + base, o.hi + base, LIVENESS_ENTRY, o.array};
        }
        return kept;
}
