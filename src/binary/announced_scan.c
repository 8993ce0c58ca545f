/*
 * Goes through the code of one function and matches accesses with the hooks before them.
 *
 * A hook is a call that may change any memory, so no compiler moves an access over it: the access that it announces comes
 * before the next call.  A hook is worth so many bytes that are read and so many that are written; an access that is worth more
 * than what is left is missing.  gcc announces the write of a copy before its read, so there two hooks in a row count.
 *
 * Which registers hold addresses of the frame or of constants is followed along the code, and forgotten at every place that
 * something jumps to.  An access that is taken to be missing although it is announced costs time, not truth: it is announced
 * twice.  The reverse would lose an access, so where it is not clear, it is missing.
 */
#include <string.h>

#include "base/search.h"
#include "binary/announced.h"
#include "binary/x86.h"
#include "binary/x86_decode.h"

#define STACK_POINTER UINT32_C(0x10) /* rsp, as a bit of a set of registers */
#define FRAME_POINTER UINT32_C(0x20)
#define KEPT          UINT32_C(0xf038) /* by calls: rbx, rsp, rbp, r12 to r15 */

#define FRESH 4u /* instructions from the address of a table to its use */

/* What hooks have announced and no access has used yet. */
struct licence {
        uint8_t reads, writes;
};

struct walk {
        struct announced *a;
        announced_code *code;
        const void *arg;
        uint32_t frame;    /* registers that hold an address in the frame */
        uint32_t constant; /* ... of a constant */
        bool framed;       /* rbp is the frame pointer */
        bool computed;     /* there are jumps to where data says: any instruction may be jumped to, so ... */
        uint32_t fresh;    /* ... what registers hold counts for so many more instructions */
        struct licence last[2];
};

static ZydisDecoder decoder;

static bool is_constant(const struct announced *a, uint64_t addr)
{
        for (uint32_t i = 0; i < a->constants.n; i++)
                if (addr >= a->constants.at[i].lo && addr < a->constants.at[i].hi)
                        return true;
        return false;
}

/* The bit of a general register, 0 for others. */
static uint32_t bit_of(ZydisRegister r)
{
        ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

        return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64 ? UINT32_C(1) << ZydisRegisterGetId(whole) : 0;
}

/* Nothing is known of registers but of those that point to the frame throughout. */
static void forget_registers(struct walk *w)
{
        w->frame = STACK_POINTER | (w->framed ? FRAME_POINTER : 0);
        w->constant = 0;
}

/* Where a missing access becomes an event, other threads may run: what was announced before it would come too late. */
static void drop_licences(struct walk *w)
{
        w->last[0] = w->last[1] = (struct licence){0};
}

/* Calls. */

/* The slot that a call or jump leads through: its own operand, or that of the jump that it leads to. */
static uint64_t slot_of(const struct walk *w, const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
                        uint64_t addr)
{
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        ZydisDecodedInstruction next;
        const uint8_t *code;
        size_t left;

        for (int depth = 0; depth < 3; depth++) {
                uint64_t end = addr + i->length;

                if (i->operand_count_visible && o[0].type == ZYDIS_OPERAND_TYPE_MEMORY)
                        return o[0].mem.base == ZYDIS_REGISTER_RIP ? end + (uint64_t)o[0].mem.disp.value : 0;
                if (i->mnemonic == ZYDIS_MNEMONIC_ENDBR64)
                        addr = end;
                else if (i->raw.imm[0].is_relative)
                        addr = end + (uint64_t)i->raw.imm[0].value.s;
                else
                        return 0;
                code = w->code(w->arg, addr, &left);
                if (!code || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, left, &next, operands)))
                        return 0;
                i = &next;
                o = operands;
                if (i->meta.category != ZYDIS_CATEGORY_UNCOND_BR && i->mnemonic != ZYDIS_MNEMONIC_ENDBR64)
                        return 0;
        }
        return 0;
}

static const struct announced_hook *hook_at(const struct announced *a, uint64_t slot)
{
        uint32_t at = SEARCH(i, a->hooks.n, a->hooks.at[i].slot < slot);

        return at < a->hooks.n && a->hooks.at[at].slot == slot ? &a->hooks.at[at] : NULL;
}

static void take_call(struct walk *w, const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, uint64_t addr)
{
        uint64_t slot = slot_of(w, i, o, addr);
        const struct announced_hook *h = slot ? hook_at(w->a, slot) : NULL;
        bool counts = h && (h->reads || h->writes);

        w->a->hooked |= h != NULL;
        w->last[1] = counts && !w->a->adjacent ? w->last[0] : (struct licence){0};
        w->last[0] = counts ? (struct licence){h->reads, h->writes} : (struct licence){0};
        w->frame &= KEPT;
        w->constant &= KEPT;
}

/* Accesses. */

/* Is one of so many bytes announced?  It is then used up. */
static bool use(struct walk *w, uint32_t size, bool writes)
{
        for (uint32_t k = 0; k < 2; k++) {
                uint8_t *left = writes ? &w->last[k].writes : &w->last[k].reads;

                if (*left == ANNOUNCED_RANGE)
                        return true;
                if (*left < size)
                        continue;
                *left = (uint8_t)(*left - size);
                return true;
        }
        return false;
}

static bool needs_none(const struct walk *w, const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
                       uint64_t addr)
{
        uint64_t at = o->mem.disp.has_displacement ? (uint64_t)o->mem.disp.value : 0;

        if (o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS)
                return true;
        if (o->mem.base == ZYDIS_REGISTER_RIP)
                return is_constant(w->a, at + addr + i->length);
        if (w->a->fixed && is_constant(w->a, at))
                return true;
        if (o->mem.scale == 1 && bit_of(o->mem.index) & (w->frame | w->constant))
                return true;
        return (bit_of(o->mem.base) & (w->frame | w->constant)) != 0;
}

static bool is_missing(struct walk *w, const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, uint64_t addr)
{
        uint32_t n = i->meta.category == ZYDIS_CATEGORY_STRINGOP ? i->operand_count : i->operand_count_visible;
        bool missing = false;

        if (x86_is_harmless(i))
                return false;
        for (uint32_t k = 0; k < n; k++) {
                if (o[k].type != ZYDIS_OPERAND_TYPE_MEMORY || o[k].mem.type == ZYDIS_MEMOP_TYPE_AGEN ||
                    needs_none(w, i, &o[k], addr))
                        continue;
                if (o[k].actions & X86_READS)
                        missing |= !use(w, o[k].size / 8, false);
                if (o[k].actions & X86_WRITES)
                        missing |= !use(w, o[k].size / 8, true);
        }
        return missing;
}

/* Registers. */

static void follow_lea(struct walk *w, const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, uint64_t addr)
{
        uint32_t to = bit_of(o[0].reg.value), from = bit_of(o[1].mem.base);
        uint64_t at = (uint64_t)o[1].mem.disp.value + addr + i->length;

        w->frame = (w->frame & ~to) | (from & w->frame ? to : 0);
        w->constant &= ~to;
        if (o[1].mem.base == ZYDIS_REGISTER_RIP ? is_constant(w->a, at) : (from & w->constant) != 0)
                w->constant |= to;
}

static void follow_mov(struct walk *w, const ZydisDecodedOperand *o)
{
        uint32_t to = bit_of(o[0].reg.value),
                 from = o[1].type == ZYDIS_OPERAND_TYPE_REGISTER ? bit_of(o[1].reg.value) : 0;
        bool whole = o[0].size == 64;

        w->frame = (w->frame & ~to) | (whole && from & w->frame ? to : 0);
        w->constant = (w->constant & ~to) | (whole && from & w->constant ? to : 0);
        if (o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && w->a->fixed && is_constant(w->a, o[1].imm.value.u))
                w->constant |= to;
}

/* What its registers hold after an instruction. */
static void follow(struct walk *w, const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, uint64_t addr)
{
        bool to_register = i->operand_count_visible >= 1 && o[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
        uint32_t known = w->frame | w->constant;

        if (i->mnemonic == ZYDIS_MNEMONIC_LEA) {
                follow_lea(w, i, o, addr);
        } else if (i->mnemonic == ZYDIS_MNEMONIC_MOV && to_register && bit_of(o[0].reg.value)) {
                follow_mov(w, o);
        } else if ((i->mnemonic == ZYDIS_MNEMONIC_ADD || i->mnemonic == ZYDIS_MNEMONIC_SUB ||
                    i->mnemonic == ZYDIS_MNEMONIC_AND) &&
                   to_register && o[0].size == 64) {
                ; /* further on in the same object */
        } else {
                for (uint32_t k = 0; k < i->operand_count; k++) {
                        if (o[k].type != ZYDIS_OPERAND_TYPE_REGISTER || !(o[k].actions & X86_WRITES))
                                continue;
                        w->frame &= ~bit_of(o[k].reg.value);
                        w->constant &= ~bit_of(o[k].reg.value);
                }
        }
        w->frame |= STACK_POINTER | (w->framed ? FRAME_POINTER : 0);
        if (w->computed && (w->frame | w->constant) != known)
                w->fresh = FRESH;
        else if (w->computed && (w->fresh == 0 || --w->fresh == 0))
                forget_registers(w);
}

/* The function. */

static int by_address(const void *a, const void *b)
{
        const uint64_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

/* Where it jumps to, and what rbp is in it. */
static int look_ahead(struct walk *w, uint64_t lo, uint64_t hi)
{
        static const uint8_t begin_frame[] = {0x48, 0x89, 0xe5}; /* mov %rsp, %rbp */
        struct announced *a = w->a;
        const uint8_t *code;
        size_t left;

        a->targets.n = a->missing.n = 0;
        a->hooked = false;
        for (uint64_t at = lo; at < hi && (code = w->code(w->arg, at, &left));) {
                struct x86_flow f = x86_follow(code, left, at);

                if (f.length == sizeof begin_frame && memcmp(code, begin_frame, sizeof begin_frame) == 0)
                        w->framed = true;
                w->computed |= f.computed;
                if (f.target >= lo && f.target < hi) {
                        if (!vec_reserve(&a->targets, 1))
                                return -1;
                        *vec_push(&a->targets) = f.target;
                }
                at += f.length ? f.length : 1;
        }
        if (a->targets.n)
                qsort(a->targets.at, a->targets.n, sizeof *a->targets.at, by_address);
        return 0;
}

/* One instruction.  Its length, or 0: out of memory. */
static size_t step(struct walk *w, const uint8_t *code, size_t left, uint64_t addr)
{
        ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
        ZydisDecodedInstruction i;

        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, left, &i, o))) {
                forget_registers(w);
                return 1;
        }
        switch (i.meta.category) {
        case ZYDIS_CATEGORY_CALL: take_call(w, &i, o, addr); break;
        case ZYDIS_CATEGORY_COND_BR: break;
        case ZYDIS_CATEGORY_UNCOND_BR:
                w->a->hooked |= hook_at(w->a, slot_of(w, &i, o, addr)) != NULL;
                /* fallthrough */
        case ZYDIS_CATEGORY_RET:
                forget_registers(w);
                drop_licences(w);
                break;
        default:
                if (is_missing(w, &i, o, addr)) {
                        if (!vec_reserve(&w->a->missing, 1))
                                return 0;
                        *vec_push(&w->a->missing) = addr;
                        drop_licences(w);
                }
                follow(w, &i, o, addr);
        }
        return i.length;
}

int announced_scan(struct announced *a, uint64_t lo, uint64_t hi, announced_code *code, const void *arg)
{
        struct walk w = {.a = a, .code = code, .arg = arg};
        const uint8_t *bytes;
        uint32_t next = 0;
        size_t left, n;

        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        if (look_ahead(&w, lo, hi))
                return -1;
        forget_registers(&w);
        for (uint64_t at = lo; at < hi && (bytes = code(arg, at, &left)); at += n) {
                while (next < a->targets.n && a->targets.at[next] < at)
                        next++;
                if (next < a->targets.n && a->targets.at[next] == at)
                        forget_registers(&w);
                n = step(&w, bytes, left < hi - at ? left : (size_t)(hi - at), at);
                if (n == 0)
                        return -1;
        }
        return 0;
}
