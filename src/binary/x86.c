/*
 * Which instructions of a program access memory, or order accesses, without a compiler announcing it.  Outside blocks that
 * are known to be inline assembly these are the ones with a lock prefix, exchanges with memory and fences: compiled code has
 * none of them once it is instrumented, since there they are calls.  Inside, it is all that have a memory operand.
 *
 * Outside, every instruction is decoded for its length; those whose opcode may matter are decoded once more with their
 * operands.
 *
 * Ignored: lfence, which orders nothing that is modelled; what push, pop, call and ret do with the stack.
 */
#include "binary/x86.h"

#include <stdio.h>
#include <string.h>

#include "binary/x86_decode.h"

static const struct form {
        ZydisMnemonic mnemonic;
        uint32_t kind;
} forms[] = {
        {ZYDIS_MNEMONIC_XCHG, WIRE_LOCKED_XCHG},       {ZYDIS_MNEMONIC_CMPXCHG, WIRE_LOCKED_CMPXCHG},
        {ZYDIS_MNEMONIC_CMPXCHG8B, WIRE_LOCKED_PAIR},  {ZYDIS_MNEMONIC_CMPXCHG16B, WIRE_LOCKED_PAIR},
        {ZYDIS_MNEMONIC_XADD, WIRE_LOCKED_XADD},       {ZYDIS_MNEMONIC_ADD, WIRE_LOCKED_ADD},
        {ZYDIS_MNEMONIC_SUB, WIRE_LOCKED_SUB},         {ZYDIS_MNEMONIC_AND, WIRE_LOCKED_AND},
        {ZYDIS_MNEMONIC_OR, WIRE_LOCKED_OR},           {ZYDIS_MNEMONIC_XOR, WIRE_LOCKED_XOR},
        {ZYDIS_MNEMONIC_INC, WIRE_LOCKED_INC},         {ZYDIS_MNEMONIC_DEC, WIRE_LOCKED_DEC},
        {ZYDIS_MNEMONIC_NOT, WIRE_LOCKED_NOT},         {ZYDIS_MNEMONIC_BTS, WIRE_LOCKED_BTS},
        {ZYDIS_MNEMONIC_BTR, WIRE_LOCKED_BTR},         {ZYDIS_MNEMONIC_BTC, WIRE_LOCKED_BTC},
        {ZYDIS_MNEMONIC_MFENCE, WIRE_LOCKED_FENCE},    {ZYDIS_MNEMONIC_SFENCE, WIRE_LOCKED_STORE_FENCE},
        {ZYDIS_MNEMONIC_SYSCALL, WIRE_LOCKED_SYSCALL}, {ZYDIS_MNEMONIC_XBEGIN, WIRE_LOCKED_XBEGIN},
        {ZYDIS_MNEMONIC_XEND, WIRE_LOCKED_XEND},       {ZYDIS_MNEMONIC_XABORT, WIRE_LOCKED_XABORT},
        {ZYDIS_MNEMONIC_XTEST, WIRE_LOCKED_XTEST},     {ZYDIS_MNEMONIC_RDTSC, WIRE_LOCKED_CLOCK},
        {ZYDIS_MNEMONIC_RDTSCP, WIRE_LOCKED_CLOCK},    {ZYDIS_MNEMONIC_CPUID, WIRE_LOCKED_ABORTS},
        {ZYDIS_MNEMONIC_PAUSE, WIRE_LOCKED_ABORTS},
};

static ZydisDecoder quick, full;

static void init(void)
{
        static bool done;

        if (done)
                return;
        ZydisDecoderInit(&quick, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        ZydisDecoderEnableMode(&quick, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
        ZydisDecoderInit(&full, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        done = true;
}

static bool has_prefix(const ZydisDecodedInstruction *i, uint8_t prefix)
{
        for (uint8_t k = 0; k < i->raw.prefix_count; k++)
                if (i->raw.prefixes[k].value == prefix)
                        return true;
        return false;
}

static bool may_matter(const ZydisDecodedInstruction *i)
{
        if (has_prefix(i, 0xf0))
                return true;
        if (i->opcode_map ==
            ZYDIS_OPCODE_MAP_DEFAULT) /* exchanges; pause; xabort and xbegin, which are among moves of constants */
                return i->opcode == 0x86 || i->opcode == 0x87 || (i->opcode == 0x90 && has_prefix(i, 0xf3)) ||
                       ((i->opcode == 0xc6 || i->opcode == 0xc7) && i->raw.modrm.reg == 7);
        if (i->opcode_map != ZYDIS_OPCODE_MAP_0F)
                return false;
        switch (i->opcode) {
        case 0x01:
        case 0x05:
        case 0x31:
        case 0xa2:
        case 0xae:
        case 0xb0:
        case 0xb1:
        case 0xc0:
        case 0xc1:
        case 0xc7: return true;
        }
        return false;
}

static uint8_t number_of(ZydisRegister r)
{
        if (r == ZYDIS_REGISTER_NONE)
                return WIRE_LOCKED_NONE;
        if (r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH)
                return (uint8_t)(WIRE_LOCKED_HIGH + (r - ZYDIS_REGISTER_AH));
        return (uint8_t)ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r));
}

/* The address of the memory operand; false where it is one that the runtime cannot compute. */
static bool take_memory(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, struct wire_locked *at)
{
        if (o->mem.type != ZYDIS_MEMOP_TYPE_MEM || i->address_width != 64 || o->mem.segment == ZYDIS_REGISTER_GS)
                return false;
        at->size = o->size / 8;
        at->local = o->mem.segment == ZYDIS_REGISTER_FS;
        at->offset = o->mem.disp.has_displacement ? o->mem.disp.value : 0;
        at->base = o->mem.base == ZYDIS_REGISTER_RIP ? WIRE_LOCKED_NONE : number_of(o->mem.base);
        if (o->mem.base == ZYDIS_REGISTER_RIP)
                at->offset += (int64_t)(at->addr + i->length);
        at->index = number_of(o->mem.index);
        at->scale = o->mem.index == ZYDIS_REGISTER_NONE ? 0 : o->mem.scale;
        return true;
}

static void take_source(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, struct wire_locked *at)
{
        at->source = WIRE_LOCKED_NONE;
        if (i->operand_count_visible < 2)
                return;
        if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
                at->source = number_of(o->reg.value);
        else
                at->immediate = o->imm.value.s;
}

/* Nothing is changed but the order of memory: an update of the stack's top by nothing. */
static bool is_stack_fence(const struct wire_locked *at)
{
        return at->base == WIRE_LOCKED_STACK && at->index == WIRE_LOCKED_NONE && at->source == WIRE_LOCKED_NONE &&
               at->immediate == 0 &&
               (at->kind == WIRE_LOCKED_ADD || at->kind == WIRE_LOCKED_SUB || at->kind == WIRE_LOCKED_OR ||
                at->kind == WIRE_LOCKED_XOR);
}

bool x86_is_harmless(const ZydisDecodedInstruction *i)
{
        switch (i->meta.category) {
        case ZYDIS_CATEGORY_NOP:
        case ZYDIS_CATEGORY_WIDENOP:
        case ZYDIS_CATEGORY_PREFETCH:
        case ZYDIS_CATEGORY_PREFETCHWT1: return true;
        default: break;
        }
        return i->mnemonic == ZYDIS_MNEMONIC_CLFLUSH || i->mnemonic == ZYDIS_MNEMONIC_CLFLUSHOPT ||
               i->mnemonic == ZYDIS_MNEMONIC_CLWB || i->mnemonic == ZYDIS_MNEMONIC_CLDEMOTE;
}

/* What is accessed follows from what is there, or from a mask. */
static bool is_conditional(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *m)
{
        if (!(m->actions & (ZYDIS_OPERAND_ACTION_CONDREAD | ZYDIS_OPERAND_ACTION_CONDWRITE)))
                return false;
        return i->meta.category != ZYDIS_CATEGORY_CMOV && i->mnemonic != ZYDIS_MNEMONIC_CMPXCHG &&
               i->mnemonic != ZYDIS_MNEMONIC_CMPXCHG8B && i->mnemonic != ZYDIS_MNEMONIC_CMPXCHG16B;
}

static bool is_bit(const ZydisDecodedInstruction *i)
{
        return i->mnemonic == ZYDIS_MNEMONIC_BT || i->mnemonic == ZYDIS_MNEMONIC_BTS ||
               i->mnemonic == ZYDIS_MNEMONIC_BTR || i->mnemonic == ZYDIS_MNEMONIC_BTC;
}

/* movs and stos; cmps and scas end where the data says. */
static enum x86_kind describe_string(const ZydisDecodedInstruction *i, struct wire_locked *at)
{
        uint8_t opcode = i->opcode & 0xfe;

        at->size = i->opcode & 1 ? i->operand_width / 8 : 1;
        at->repeats = has_prefix(i, 0xf3) || has_prefix(i, 0xf2);
        if ((opcode != 0xa4 && opcode != 0xaa) || i->address_width != 64 || has_prefix(i, 0x64) ||
            has_prefix(i, 0x65)) {
                at->writes = opcode == 0xa4 || opcode == 0xaa;
                return X86_UNKNOWN;
        }
        at->kind = opcode == 0xa4 ? WIRE_LOCKED_COPY : WIRE_LOCKED_FILL;
        return X86_KNOWN;
}

/* An access that is announced; the instruction runs as it is. */
static enum x86_kind describe_access(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
                                     struct wire_locked *at)
{
        const ZydisDecodedOperand *m = NULL;
        bool several = false;

        at->kind = WIRE_LOCKED_UNSEEN;
        if (i->meta.category == ZYDIS_CATEGORY_STRINGOP)
                return describe_string(i, at);
        for (uint8_t k = 0; k < i->operand_count_visible; k++) {
                if (o[k].type != ZYDIS_OPERAND_TYPE_MEMORY || o[k].mem.type == ZYDIS_MEMOP_TYPE_AGEN)
                        continue;
                several = m != NULL;
                m = &o[k];
        }
        if (!m || x86_is_harmless(i))
                return X86_PLAIN;
        at->writes = (m->actions & X86_WRITES) != 0;
        if (several || is_conditional(i, m) || !take_memory(i, m, at) || at->size == 0 ||
            (i->mnemonic == ZYDIS_MNEMONIC_POP && at->base == WIRE_LOCKED_STACK))
                return X86_UNKNOWN;
        if (is_bit(i) && o[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
                at->bits = true;
                at->source = number_of(o[1].reg.value);
        }
        if (has_prefix(i, 0xf0) || i->mnemonic == ZYDIS_MNEMONIC_XCHG)
                at->kind = WIRE_LOCKED_ATOMIC;
        else if (!at->writes)
                at->kind = WIRE_LOCKED_LOAD;
        else
                at->kind = m->actions & X86_READS ? WIRE_LOCKED_UPDATE : WIRE_LOCKED_STORE;
        return at->kind == WIRE_LOCKED_UPDATE && at->size > X86_MAX_UPDATE ? X86_UNKNOWN : X86_KNOWN;
}

/* Fences, system calls, the clock, transactions and what aborts them. */
static bool takes_no_memory(const struct form *f)
{
        switch (f->kind) {
        case WIRE_LOCKED_FENCE:
        case WIRE_LOCKED_STORE_FENCE:
        case WIRE_LOCKED_SYSCALL:
        case WIRE_LOCKED_CLOCK:
        case WIRE_LOCKED_XBEGIN:
        case WIRE_LOCKED_XEND:
        case WIRE_LOCKED_XABORT:
        case WIRE_LOCKED_XTEST:
        case WIRE_LOCKED_ABORTS: return true;
        default: return false;
        }
}

static enum x86_kind describe(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, bool inside,
                              struct wire_locked *at)
{
        const struct form *f = forms, *end = forms + sizeof forms / sizeof *forms;
        bool lock = has_prefix(i, 0xf0), memory = i->operand_count && o[0].type == ZYDIS_OPERAND_TYPE_MEMORY;

        while (f < end && f->mnemonic != i->mnemonic)
                f++;
        at->base = at->index = at->source = WIRE_LOCKED_NONE;
        if (f < end && takes_no_memory(f)) {
                at->kind = (uint8_t)f->kind;
                at->immediate = i->raw.imm[0].value.s;
                if (i->raw.imm[0].is_relative)
                        at->immediate += (int64_t)(at->addr + i->length);
                return X86_KNOWN;
        }
        if (f < end && memory && (lock || f->kind == WIRE_LOCKED_XCHG) && take_memory(i, o, at)) {
                at->kind = (uint8_t)f->kind;
                take_source(i, o + 1, at);
                at->fence = is_stack_fence(at);
                return X86_KNOWN;
        }
        return inside || lock || (f < end && memory) ? describe_access(i, o, at) : X86_PLAIN;
}

size_t x86_look(const uint8_t *code, size_t size, uint64_t addr, bool inside, enum x86_kind *kind,
                struct wire_locked *at, char name[X86_NAME])
{
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        ZydisDecodedInstruction i;

        init();
        *kind = X86_PLAIN;
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&quick, NULL, code, size, &i)))
                return 0;
        if (!inside && !may_matter(&i))
                return i.length;
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&full, code, size, &i, operands)))
                return 0;
        memset(at, 0, sizeof *at);
        at->addr = addr;
        at->length = i.length;
        *kind = describe(&i, operands, inside, at);
        if (*kind == X86_UNKNOWN)
                at->kind = WIRE_LOCKED_UNSEEN;
        if (*kind != X86_PLAIN)
                snprintf(name, X86_NAME, "%s%s", has_prefix(&i, 0xf0) ? "lock " : "",
                         ZydisMnemonicGetString(i.mnemonic));
        return i.length;
}

static bool is_movable(const ZydisDecodedInstruction *i)
{
        switch (i->meta.category) {
        case ZYDIS_CATEGORY_CALL:
        case ZYDIS_CATEGORY_COND_BR:
        case ZYDIS_CATEGORY_UNCOND_BR:
        case ZYDIS_CATEGORY_INTERRUPT:
        case ZYDIS_CATEGORY_SYSCALL:
        case ZYDIS_CATEGORY_SYSRET:
        case ZYDIS_CATEGORY_SYSTEM:
        case ZYDIS_CATEGORY_CET: return false;
        default: break;
        }
        return i->mnemonic != ZYDIS_MNEMONIC_UD0 && i->mnemonic != ZYDIS_MNEMONIC_UD1 &&
               i->mnemonic != ZYDIS_MNEMONIC_UD2;
}

struct x86_flow x86_follow(const uint8_t *code, size_t size, uint64_t addr)
{
        struct x86_flow f = {0};
        ZydisDecodedInstruction i;

        init();
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&full, NULL, code, size, &i)))
                return f;
        f.length = i.length;
        f.movable = is_movable(&i);
        if (i.raw.imm[0].is_relative)
                f.target = addr + i.length + (uint64_t)i.raw.imm[0].value.s;
        else if (i.meta.category == ZYDIS_CATEGORY_UNCOND_BR && !x86_ends_transaction(&i))
                f.computed = true;
        else if (i.attributes & ZYDIS_ATTRIB_IS_RELATIVE)
                f.fix = i.raw.disp.offset;
        if (f.target)
                f.movable = false;
        return f;
}
