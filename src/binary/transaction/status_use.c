/*
 * See status_use.h.  Which registers and variables of the frame may have the status, from the instruction on where it is in eax, to a fixed point.
 * Registers are followed along the control flow.  A variable is one for the whole function: all that is read from it counts, so
 * that ways back into the function that the code does not show (longjmp, exceptions) need no edges.
 *
 * Invariant: what is not understood counts as a test of the status.  A variable is a word at a negative offset of rbp, where rbp is the
 * frame pointer of the function; memory of any other form is not followed.
 */
#include "binary/transaction/status_use.h"

#include <stdlib.h>

#include "base/search.h"
#include "binary/x86_decode.h"

#define MAX_CODE      8192u /* instructions */
#define MAX_VARIABLES 8u

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, REGS = 16 };

#define BIT(r)    (UINT64_C(1) << (r))
#define UPPER(b)  ((b) << REGS)             /* a register whose lowest byte has another value */
#define FLAGS     (UINT64_C(1) << 2 * REGS) /* they have whether it is _XBEGIN_STARTED */
#define ARGUMENTS (BIT(RDI) | BIT(RSI) | BIT(RDX) | BIT(RCX) | BIT(R8) | BIT(R9))
#define LOST      (ARGUMENTS | BIT(RAX) | BIT(R10) | BIT(R11)) /* by a call */

struct insn {
        uint64_t addr;
        uint64_t in; /* what may have the status before it: bits of registers */
        bool reached, queued;
        ZydisDecodedInstruction d;
        ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
};

struct function {
        uint64_t lo, hi;
        struct insn *code;
        uint32_t n;
        bool framed;     /* rbp is its frame pointer */
        bool leaves;     /* it has a jump to outside of it, or reads by rsp what may be such a variable */
        bool pads;       /* code that no jump leads to: where exceptions continue */
        int64_t escapes; /* the least offset of rbp whose address is taken */
        int64_t variables[MAX_VARIABLES];
        uint32_t n_variables;
        uint32_t *queue, n_queue;
        bool tested;
};

static uint64_t bit_of(ZydisRegister r)
{
        ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

        return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64 ? BIT(ZydisRegisterGetId(whole)) : 0;
}

static bool is_register(const ZydisDecodedOperand *o, ZydisRegister r)
{
        return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->reg.value == r;
}

static bool is_nop(const struct insn *i)
{
        return i->d.meta.category == ZYDIS_CATEGORY_NOP || i->d.meta.category == ZYDIS_CATEGORY_WIDENOP ||
               i->d.mnemonic == ZYDIS_MNEMONIC_ENDBR64 || i->d.mnemonic == ZYDIS_MNEMONIC_INT3 ||
               i->d.mnemonic == ZYDIS_MNEMONIC_UD2;
}

static bool decode(struct function *f, const uint8_t *code)
{
        ZydisDecoder decoder;

        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        for (uint64_t at = f->lo; at < f->hi; at += f->code[f->n++].d.length) {
                struct insn *i = &f->code[f->n];

                if (f->n == MAX_CODE || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + (at - f->lo),
                                                                             (size_t)(f->hi - at), &i->d, i->o)))
                        return false;
                i->addr = at;
        }
        return true;
}

static uint32_t index_of(const struct function *f, uint64_t addr)
{
        uint32_t at = SEARCH(i, f->n, f->code[i].addr < addr);

        return at < f->n && f->code[at].addr == addr ? at : UINT32_MAX;
}

/* Where a jump, a branch or an xbegin leads to.  false: to no instruction of the function. */
static bool target_of(const struct function *f, const struct insn *i, uint32_t *target)
{
        *target = i->d.raw.imm[0].is_relative ? index_of(f, i->addr + i->d.length + (uint64_t)i->d.raw.imm[0].value.s)
                                              : UINT32_MAX;
        return *target != UINT32_MAX;
}

static bool jumps(const struct insn *i)
{
        return i->d.mnemonic == ZYDIS_MNEMONIC_XBEGIN ||
               (!x86_ends_transaction(&i->d) &&
                (i->d.meta.category == ZYDIS_CATEGORY_UNCOND_BR || i->d.meta.category == ZYDIS_CATEGORY_COND_BR));
}

static bool falls_through(const struct insn *i)
{
        return x86_ends_transaction(&i->d) ||
               (i->d.meta.category != ZYDIS_CATEGORY_UNCOND_BR && i->d.meta.category != ZYDIS_CATEGORY_RET &&
                i->d.mnemonic != ZYDIS_MNEMONIC_UD2);
}

/* Addresses of the frame that the instruction takes. */
static void note_escapes(struct function *f, const struct insn *i)
{
        const ZydisDecodedOperand *o = i->o;

        if (i->d.mnemonic == ZYDIS_MNEMONIC_LEA &&
            (bit_of(o[1].mem.index) & BIT(RBP) ||
             (bit_of(o[1].mem.base) & BIT(RSP) && !is_register(&o[0], ZYDIS_REGISTER_RSP))))
                f->escapes = INT64_MIN;
        else if (i->d.mnemonic == ZYDIS_MNEMONIC_LEA && bit_of(o[1].mem.base) & BIT(RBP) &&
                 o[1].mem.disp.value < f->escapes)
                f->escapes = o[1].mem.disp.value;
        for (uint32_t k = 0; k < i->d.operand_count_visible; k++) {
                bool frame = is_register(&o[k], ZYDIS_REGISTER_RBP) || is_register(&o[k], ZYDIS_REGISTER_RSP);
                bool known = i->d.mnemonic == ZYDIS_MNEMONIC_PUSH || i->d.mnemonic == ZYDIS_MNEMONIC_POP ||
                             (is_register(&o[0], ZYDIS_REGISTER_RBP) && is_register(&o[1], ZYDIS_REGISTER_RSP)) ||
                             (is_register(&o[0], ZYDIS_REGISTER_RSP) &&
                              (is_register(&o[1], ZYDIS_REGISTER_RBP) || o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ||
                               i->d.mnemonic == ZYDIS_MNEMONIC_LEA));
                if (frame && !known)
                        f->escapes = INT64_MIN;
                f->leaves |= o[k].type == ZYDIS_OPERAND_TYPE_MEMORY && bit_of(o[k].mem.base) & BIT(RSP) &&
                             o[k].mem.type == ZYDIS_MEMOP_TYPE_MEM && o[k].actions & X86_READS;
        }
}

static void find_frame(struct function *f)
{
        uint32_t moves = 0, others = 0;

        f->escapes = INT64_MAX;
        for (uint32_t k = 0; k < f->n; k++) {
                const struct insn *i = &f->code[k];
                uint32_t target;

                if (i->d.mnemonic == ZYDIS_MNEMONIC_MOV && is_register(&i->o[0], ZYDIS_REGISTER_RBP) &&
                    is_register(&i->o[1], ZYDIS_REGISTER_RSP))
                        moves++;
                else if (i->d.mnemonic != ZYDIS_MNEMONIC_POP && i->d.operand_count_visible &&
                         i->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER && bit_of(i->o[0].reg.value) & BIT(RBP) &&
                         i->o[0].actions & X86_WRITES)
                        others++;
                f->leaves |= jumps(i) && !target_of(f, i, &target);
                note_escapes(f, i);
        }
        f->framed = moves == 1 && others == 0;
}

/* Follows the control flow from the first instruction on. */
static void find_pads(struct function *f)
{
        f->queue[f->n_queue++] = 0;
        f->code[0].reached = true;
        while (f->n_queue) {
                uint32_t k = f->queue[--f->n_queue], to[2] = {falls_through(&f->code[k]) ? k + 1 : f->n, f->n};

                if (jumps(&f->code[k]) && !target_of(f, &f->code[k], &to[1]))
                        to[1] = f->n;
                for (uint32_t j = 0; j < 2; j++)
                        if (to[j] < f->n && !f->code[to[j]].reached) {
                                f->code[to[j]].reached = true;
                                f->queue[f->n_queue++] = to[j];
                        }
        }
        for (uint32_t k = 0; k < f->n; k++)
                f->pads |= !f->code[k].reached && !is_nop(&f->code[k]);
}

static void add(struct function *f, uint32_t k, uint64_t in)
{
        struct insn *i = &f->code[k];

        if (k >= f->n) {
                f->tested |= in != 0;
                return;
        }
        if (!(in & ~i->in))
                return;
        i->in |= in;
        if (!i->queued)
                f->queue[f->n_queue++] = k;
        i->queued = true;
}

static void add_variable(struct function *f, const ZydisDecodedOperand *o)
{
        int64_t at = o->mem.disp.value;

        for (uint32_t i = 0; i < f->n_variables; i++)
                if (f->variables[i] == at)
                        return;
        if (!f->framed || f->leaves || o->mem.base != ZYDIS_REGISTER_RBP || o->mem.index != ZYDIS_REGISTER_NONE ||
            o->mem.segment != ZYDIS_REGISTER_SS || at >= 0 || f->escapes <= at || o->size != 32 ||
            f->n_variables == MAX_VARIABLES) {
                f->tested = true;
                return;
        }
        f->variables[f->n_variables++] = at;
        for (uint32_t k = 0; k < f->n; k++) { /* once more, with what is read from it */
                if (!f->code[k].queued)
                        f->queue[f->n_queue++] = k;
                f->code[k].queued = true;
        }
}

/* Is it a word with the status?  Another form of access to a part of such a word is a test of it. */
static bool is_variable(struct function *f, const ZydisDecodedOperand *o)
{
        int64_t lo = o->mem.disp.value, hi = lo + o->size / 8;

        if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type != ZYDIS_MEMOP_TYPE_MEM ||
            o->mem.base != ZYDIS_REGISTER_RBP)
                return false;
        for (uint32_t i = 0; i < f->n_variables; i++) {
                int64_t at = f->variables[i];

                if (at == lo && o->size == 32 && o->mem.index == ZYDIS_REGISTER_NONE)
                        return true;
                if (o->actions & X86_READS && (o->mem.index != ZYDIS_REGISTER_NONE ? lo <= at : lo < at + 4 && at < hi))
                        f->tested = true;
        }
        return false;
}

/* Of a register that it reads. */
static bool reads_register(struct function *f, ZydisRegister r, uint64_t in)
{
        bool low = ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_GPR8 && (r < ZYDIS_REGISTER_AH || r > ZYDIS_REGISTER_BH);

        f->tested |= !low && in & UPPER(bit_of(r));
        return in & bit_of(r);
}

/* Does it read what may have the status? */
static bool reads_status(struct function *f, const struct insn *i, uint64_t in)
{
        bool reads = false;

        for (uint32_t k = 0; k < i->d.operand_count; k++) {
                const ZydisDecodedOperand *o = &i->o[k];

                if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->actions & X86_READS)
                        reads |= reads_register(f, o->reg.value, in);
                if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
                        f->tested |= reads_register(f, o->mem.base, in) || reads_register(f, o->mem.index, in);
                reads |= is_variable(f, o) && o->actions & X86_READS;
        }
        return reads;
}

/* What has the status after it, of the registers that had it before and if it copies none. */
static uint64_t left_by(const struct insn *i, uint64_t in)
{
        const ZydisAccessedFlags *flags = i->d.cpu_flags;

        for (uint32_t k = 0; k < i->d.operand_count; k++) {
                const ZydisDecodedOperand *o = &i->o[k];
                uint64_t bit = o->type == ZYDIS_OPERAND_TYPE_REGISTER ? bit_of(o->reg.value) : 0;

                if (!(o->actions & ZYDIS_OPERAND_ACTION_WRITE))
                        continue;
                if (o->size >= 32)
                        in &= ~(bit | UPPER(bit));
                else if (in & bit && o->size == 8 &&
                         (o->reg.value < ZYDIS_REGISTER_AH || o->reg.value > ZYDIS_REGISTER_BH))
                        in = (in & ~bit) | UPPER(bit);
        }
        if (flags && (flags->modified | flags->set_0 | flags->set_1 | flags->undefined) & ZYDIS_CPUFLAG_ZF)
                in &= ~FLAGS;
        return in;
}

static bool compares_with_started(const struct insn *i)
{
        return i->d.mnemonic == ZYDIS_MNEMONIC_CMP && i->o[0].size == 32 &&
               i->o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && (int32_t)i->o[1].imm.value.s == -1;
}

static bool is_zeroing(const struct insn *i)
{
        return (i->d.mnemonic == ZYDIS_MNEMONIC_XOR || i->d.mnemonic == ZYDIS_MNEMONIC_SUB) &&
               i->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER && is_register(&i->o[1], i->o[0].reg.value) &&
               i->o[0].size >= 32;
}

/* A move of the whole word. */
static bool copies(struct function *f, const struct insn *i, uint64_t *out)
{
        if (i->d.mnemonic != ZYDIS_MNEMONIC_MOV || i->o[0].size < 32)
                return false;
        if (i->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER)
                *out |= bit_of(i->o[0].reg.value);
        else
                add_variable(f, &i->o[0]);
        return true;
}

/* One bit of the status is in the flags: these show no other. */
static bool tests_more(const struct insn *i, uint64_t in)
{
        return in & FLAGS && i->d.cpu_flags && i->d.cpu_flags->tested & ~(uint32_t)ZYDIS_CPUFLAG_ZF;
}

/* Callees get arguments in registers, and what is in rax is none.  What they keep may be read where an exception continues. */
static uint64_t after_call(struct function *f, const struct insn *i, uint64_t in)
{
        uint64_t kept = in & ~(LOST | UPPER(LOST) | FLAGS);

        f->tested |= in & (ARGUMENTS | UPPER(ARGUMENTS)) || (f->pads && kept) || reads_status(f, i, in);
        return kept;
}

static uint64_t after(struct function *f, const struct insn *i, uint64_t in)
{
        uint64_t out = left_by(i, in);

        if (x86_ends_transaction(&i->d) || i->d.mnemonic == ZYDIS_MNEMONIC_XBEGIN)
                return in; /* an abort leads elsewhere, with a status of its own */
        if (is_zeroing(i))
                return out;
        if (i->d.meta.category == ZYDIS_CATEGORY_CALL)
                return after_call(f, i, in);
        if (i->d.meta.category == ZYDIS_CATEGORY_RET) {
                f->tested |= in & (BIT(RAX) | UPPER(BIT(RAX)));
                return 0;
        }
        f->tested |= tests_more(i, in);
        if (!reads_status(f, i, in))
                return out;
        if (compares_with_started(i))
                return out | FLAGS;
        f->tested |= !copies(f, i, &out);
        return out;
}

static void follow(struct function *f)
{
        while (f->n_queue && !f->tested) {
                uint32_t k = f->queue[--f->n_queue], target;
                uint64_t out;
                struct insn *i = &f->code[k];

                i->queued = false;
                out = after(f, i, i->in);
                if (falls_through(i))
                        add(f, k + 1, out);
                if (!jumps(i))
                        continue;
                if (!target_of(f, i, &target))
                        f->tested |= out != 0;
                else
                        add(f, target,
                            i->d.mnemonic == ZYDIS_MNEMONIC_XBEGIN ? out & ~(BIT(RAX) | UPPER(BIT(RAX))) : out);
        }
}

bool status_compared(const uint8_t *code, uint64_t lo, uint64_t hi, uint64_t at)
{
        uint32_t room = hi - lo < MAX_CODE ? (uint32_t)(hi - lo) : MAX_CODE, start;
        struct function f = {.lo = lo, .hi = hi};

        f.code = calloc(room + 1, sizeof *f.code);
        f.queue = calloc(room + 1, sizeof *f.queue);
        f.tested = !f.code || !f.queue || !decode(&f, code) || (start = index_of(&f, at)) == UINT32_MAX;
        if (!f.tested) {
                find_frame(&f);
                find_pads(&f);
                add(&f, start, BIT(RAX));
                follow(&f);
        }
        free(f.code);
        free(f.queue);
        return !f.tested;
}
