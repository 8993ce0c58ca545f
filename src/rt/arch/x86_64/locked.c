/*
 * Instructions that access memory or order accesses, of inline assembly and of modules that were not built by heddle cc: each
 * becomes the operation that a compiler would have called us for.  A system call is answered as syscall() is.  Atomic updates are sequentially consistent; a load acquires and a store releases, as they do on this
 * machine.
 *
 * The explorer finds them (binary/asm_scan.c).  Before main runs, each is overwritten by a jump, or, where there is no room for
 * one, and under a debugger, by ud2, which raises SIGILL; none is shorter.  Loads, stores and what is not understood are
 * announced or reported, and then run as they are, from a copy (patch.c).  The handler changes nothing but the stack
 * pointer and the place to return to.  Both lead to locked_enter (enter.S), which saves all registers on the
 * program's stack and calls locked_perform().  So the thread is outside any handler when it switches to another.
 *
 * A child that the program forks, and code that runs outside a turn, performs the instruction as an atomic one of the machine.
 */
#include "rt/arch/x86_64/locked.h"

#include <ucontext.h>

#include "base/hash.h"
#include "rt/arch/x86_64/flags.h"
#include "rt/arch/x86_64/gap.h"
#include "rt/arch/x86_64/patch.h"
#include "rt/arch/x86_64/pause.h"
#include "rt/arch/x86_64/sites.h"
#include "rt/arch/x86_64/transaction.h"
#include "rt/arch/x86_64/unseen.h"
#include "rt/calls/cxx_stream.h"
#include "rt/memory/access.h"
#include "rt/memory/atomic.h"
#include "rt/copy/step.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/loops/registers.h"
#include "rt/loops/spin.h"
#include "rt/thread/thread.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/util.h"
#include "rt/world/clock.h"
#include "rt/world/trap.h"

typedef unsigned __int128 u128;

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

#define RED_ZONE 128
#define XMM_AT   160 /* in the saved state */
#define XMM_SIZE 256

struct locked_frame { /* enter.S */
        uint64_t reg[16];
        uint64_t flags;
        uint64_t next; /* number of the instruction, then where to continue */
};

/* atomic.c */
#define DECLARE(bits, type)                                              \
        type atomic##bits##_exchange(volatile type *a, type v, int mo);  \
        type atomic##bits##_fetch_add(volatile type *a, type v, int mo); \
        type atomic##bits##_fetch_sub(volatile type *a, type v, int mo); \
        type atomic##bits##_fetch_and(volatile type *a, type v, int mo); \
        type atomic##bits##_fetch_or(volatile type *a, type v, int mo);  \
        type atomic##bits##_fetch_xor(volatile type *a, type v, int mo); \
        int atomic##bits##_cas_strong(volatile type *a, type *expected, type v, int mo, int fmo);
DECLARE(8, uint8_t)
DECLARE(16, uint16_t)
DECLARE(32, uint32_t)
DECLARE(64, uint64_t)
DECLARE(128, u128)

#pragma GCC visibility push(hidden)
extern char locked_enter[];
uint64_t locked_state_size = 512; /* of the floating-point state */
uint32_t locked_state_mask;       /* its parts; 0: there is no xsave */
void locked_perform(struct locked_frame *f, const uint8_t *state);
#pragma GCC visibility pop

/* Operands. */

static uint64_t get(const struct locked_frame *f, uint32_t r)
{
        return r >= WIRE_LOCKED_HIGH ? f->reg[r - WIRE_LOCKED_HIGH] >> 8 : f->reg[r];
}

/* As the machine does: four bytes clear the upper half, fewer leave the rest. */
static void set(struct locked_frame *f, uint32_t r, uint32_t size, uint64_t v)
{
        uint64_t mask = size == 4 ? UINT64_MAX : flags_mask(size);

        v &= flags_mask(size);
        if (r >= WIRE_LOCKED_HIGH)
                f->reg[r - WIRE_LOCKED_HIGH] = (f->reg[r - WIRE_LOCKED_HIGH] & ~UINT64_C(0xff00)) | v << 8;
        else
                f->reg[r] = (f->reg[r] & ~mask) | v;
}

static uintptr_t address_of(const struct locked_frame *f, const struct wire_locked *l)
{
        uint64_t a = (uint64_t)l->offset;

        if (l->base != WIRE_LOCKED_NONE)
                a += f->reg[l->base];
        if (l->index != WIRE_LOCKED_NONE)
                a += f->reg[l->index] * l->scale;
        if (l->local)
                a += (uint64_t)(uintptr_t)__builtin_thread_pointer();
        return a;
}

/* Which bit, counted from the memory that is named: a register may name one outside of it. */
static int64_t bit_of(const struct locked_frame *f, const struct wire_locked *l)
{
        switch (l->size) {
        case 8: return (int64_t)f->reg[l->source];
        case 4: return (int32_t)f->reg[l->source];
        default: return (int16_t)f->reg[l->source];
        }
}

/* The word that has this bit. */
static uintptr_t word_of(uintptr_t a, const struct wire_locked *l, int64_t bit)
{
        int64_t bits = 8 * l->size;

        return a + (uint64_t)((bit - (bit & (bits - 1))) / 8);
}

static uint64_t operand_of(const struct locked_frame *f, const struct wire_locked *l)
{
        return (l->source == WIRE_LOCKED_NONE ? (uint64_t)l->immediate : get(f, l->source)) & flags_mask(l->size);
}

/* The operations, by size. */

#define BY_SIZE(name)                                                                                  \
        static uint64_t name(uintptr_t a, uint32_t size, uint64_t v)                                   \
        {                                                                                              \
                switch (size) {                                                                        \
                case 1: return atomic8_##name((volatile uint8_t *)a, (uint8_t)v, __ATOMIC_SEQ_CST);    \
                case 2: return atomic16_##name((volatile uint16_t *)a, (uint16_t)v, __ATOMIC_SEQ_CST); \
                case 4: return atomic32_##name((volatile uint32_t *)a, (uint32_t)v, __ATOMIC_SEQ_CST); \
                default: return atomic64_##name((volatile uint64_t *)a, v, __ATOMIC_SEQ_CST);          \
                }                                                                                      \
        }
BY_SIZE(exchange)
BY_SIZE(fetch_add)
BY_SIZE(fetch_sub)
BY_SIZE(fetch_and)
BY_SIZE(fetch_or)
BY_SIZE(fetch_xor)

#define CAS_CASE(bits, type)                                                                                   \
        {                                                                                                      \
                type expected = (type)*old;                                                                    \
                int same = atomic##bits##_cas_strong((volatile type *)a, &expected, (type)v, __ATOMIC_SEQ_CST, \
                                                     __ATOMIC_SEQ_CST);                                        \
                *old = expected;                                                                               \
                return same;                                                                                   \
        }

/* *old is what is expected, and then what was there. */
static bool compare_exchange(uintptr_t a, uint32_t size, u128 *old, u128 v)
{
        switch (size) {
        case 1: CAS_CASE(8, uint8_t)
        case 2: CAS_CASE(16, uint16_t)
        case 4: CAS_CASE(32, uint32_t)
        case 8: CAS_CASE(64, uint64_t)
        default: CAS_CASE(128, u128)
        }
}

static void put_flags(struct locked_frame *f, uint64_t which, uint64_t flags)
{
        f->flags = (f->flags & ~which) | (flags & which);
}

static void do_cmpxchg(struct locked_frame *f, const struct wire_locked *l, uintptr_t a)
{
        uint64_t accumulator = f->reg[RAX];
        u128 old = accumulator & flags_mask(l->size);

        if (!compare_exchange(a, l->size, &old, operand_of(f, l)))
                set(f, RAX, l->size, (uint64_t)old);
        put_flags(f, FLAG_ALL, flags_sub(l->size, accumulator, (uint64_t)old));
}

static void do_pair(struct locked_frame *f, const struct wire_locked *l, uintptr_t a)
{
        uint32_t half = l->size / 2;
        u128 old = (u128)(f->reg[RDX] & flags_mask(half)) << 8 * half | (f->reg[RAX] & flags_mask(half));
        u128 v = (u128)(f->reg[RCX] & flags_mask(half)) << 8 * half | (f->reg[RBX] & flags_mask(half));
        bool same = compare_exchange(a, l->size, &old, v);

        if (!same) {
                set(f, RAX, half, (uint64_t)old);
                set(f, RDX, half, (uint64_t)(old >> 8 * half));
        }
        put_flags(f, FLAG_ZF, same ? FLAG_ZF : 0);
}

static void do_bit(struct locked_frame *f, const struct wire_locked *l, uintptr_t a)
{
        uint32_t bits = 8u * l->size;
        int64_t n = l->source == WIRE_LOCKED_NONE ? l->immediate & (bits - 1) : bit_of(f, l);
        uint64_t bit = UINT64_C(1) << ((uint64_t)n & (bits - 1)), old;

        a = word_of(a, l, n);
        if (l->kind == WIRE_LOCKED_BTS)
                old = fetch_or(a, l->size, bit);
        else if (l->kind == WIRE_LOCKED_BTR)
                old = fetch_and(a, l->size, ~bit);
        else
                old = fetch_xor(a, l->size, bit);
        put_flags(f, FLAG_CF, old & bit ? FLAG_CF : 0);
}

/* Logic leaves no carry, and the one of half a byte is not defined: it is cleared. */
static void do_update(struct locked_frame *f, const struct wire_locked *l, uintptr_t a)
{
        uint64_t v = operand_of(f, l), old, logic = 0;
        uint32_t n = l->size;

        switch (l->kind) {
        case WIRE_LOCKED_XCHG: set(f, l->source, n, exchange(a, n, v)); return;
        case WIRE_LOCKED_NOT: fetch_xor(a, n, UINT64_MAX); return;
        case WIRE_LOCKED_XADD:
                old = fetch_add(a, n, v);
                set(f, l->source, n, old);
                put_flags(f, FLAG_ALL, flags_add(n, old, v));
                return;
        case WIRE_LOCKED_ADD: put_flags(f, FLAG_ALL, flags_add(n, fetch_add(a, n, v), v)); return;
        case WIRE_LOCKED_SUB: put_flags(f, FLAG_ALL, flags_sub(n, fetch_sub(a, n, v), v)); return;
        case WIRE_LOCKED_INC: put_flags(f, FLAG_ALL & ~FLAG_CF, flags_add(n, fetch_add(a, n, 1), 1)); return;
        case WIRE_LOCKED_DEC: put_flags(f, FLAG_ALL & ~FLAG_CF, flags_sub(n, fetch_sub(a, n, 1), 1)); return;
        case WIRE_LOCKED_AND: logic = fetch_and(a, n, v) & v; break;
        case WIRE_LOCKED_OR: logic = fetch_or(a, n, v) | v; break;
        case WIRE_LOCKED_XOR: logic = fetch_xor(a, n, v) ^ v; break;
        }
        put_flags(f, FLAG_ALL, flags_of(n, logic));
}

/* What was not changed is what it would have been changed to. */
static void do_stack_fence(struct locked_frame *f, const struct wire_locked *l, uintptr_t a)
{
        uint64_t v = 0;

        atomic_fence(__ATOMIC_SEQ_CST);
        rt_copy(&v, (const void *)a, l->size);
        put_flags(f, FLAG_ALL, flags_of(l->size, v));
}

/* What runs as it is, afterwards. */

/* Loads and stores as this machine has them; what it does not do at one moment is a plain access. */
static void announce(struct thread *t, const struct wire_locked *l, uint32_t op, uintptr_t a)
{
        if (l->plain || l->size > 16)
                access_noted(op == OP_LOAD ? OP_READ : OP_WRITE, a, l->size, t->stack.via);
        else
                atomic_announce(op, a, l->size, op == OP_LOAD ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE);
}

/* Others may run between load and store.  The instruction finds again what was there at the load. */
static void announce_update(struct thread *t, const struct wire_locked *l, uintptr_t a)
{
        uint8_t old[64];

        announce(t, l, OP_LOAD, a);
        rt_copy(old, (const void *)a, l->size);
        t->locked.n++;
        t->locked.run++;
        announce(t, l, OP_STORE, a);
        rt_copy((void *)a, old, l->size);
}

static void announce_string(struct thread *t, const struct locked_frame *f, const struct wire_locked *l)
{
        uint64_t n = (l->repeats ? f->reg[RCX] : 1) * l->size, back = f->flags & FLAG_DF && n ? n - l->size : 0;
        const void *from = (const void *)(f->reg[RSI] - back), *to = (const void *)(f->reg[RDI] - back);

        if (n && n < 0x800000 && l->kind == WIRE_LOCKED_FILL)
                access_noted(OP_WRITE, (uintptr_t)to, (uint32_t)n, t->stack.via);
        else if (n && l->kind == WIRE_LOCKED_FILL)
                access_range(OP_WRITE, to, n, t->stack.via);
        else if (n)
                access_pair(from, n, to, n, t->stack.via);
        if (n && l->kind != WIRE_LOCKED_FILL && (step_shared_range(from, n) || step_shared_range(to, n)))
                rt_note_incomplete(REASON_COPY, "instructions that copy (movs)");
}

static void prepare(struct thread *t, const struct locked_frame *f, const struct wire_locked *l)
{
        uintptr_t a = address_of(f, l);

        if (l->bits)
                a = word_of(a, l, bit_of(f, l));
        switch (l->kind) {
        case WIRE_LOCKED_LOAD: announce(t, l, OP_LOAD, a); return;
        case WIRE_LOCKED_STORE: announce(t, l, OP_STORE, a); return;
        case WIRE_LOCKED_UPDATE: announce_update(t, l, a); return;
        case WIRE_LOCKED_ATOMIC: atomic_announce(OP_RMW, a, l->size, __ATOMIC_SEQ_CST); return;
        case WIRE_LOCKED_UNSEEN: unseen_report(l); return;
        }
        announce_string(t, f, l);
}

/* As the instruction leaves it: the answer or a negative error number, and two registers that it overwrites. */
static void do_syscall(struct locked_frame *f)
{
        const long a[6] = {(long)f->reg[RDI], (long)f->reg[RSI], (long)f->reg[RDX],
                           (long)f->reg[R10], (long)f->reg[R8],  (long)f->reg[R9]};

        f->reg[RAX] = (uint64_t)syscall_perform((long)f->reg[RAX], a, f->next);
        f->reg[RCX] = f->next;
        f->reg[R11] = f->flags;
}

/* rdtsc, and rdtscp, which is longer and names a processor. */
static void do_clock(struct locked_frame *f, const struct wire_locked *l)
{
        uint64_t ticks = clock_ticks();

        f->reg[RAX] = ticks & UINT32_MAX;
        f->reg[RDX] = ticks >> 32;
        if (l->length > 2)
                f->reg[RCX] = 0;
}

static void perform(struct thread *t, struct locked_frame *f, const struct wire_locked *l)
{
        uintptr_t a;

        if (l->kind >= WIRE_LOCKED_LOAD) {
                if (t)
                        prepare(t, f, l);
                return;
        }
        if (l->kind >= WIRE_LOCKED_XBEGIN && l->kind <= WIRE_LOCKED_XTEST) {
                transaction_perform(l, &f->reg[RAX], &f->flags, &f->next);
                return;
        }
        a = address_of(f, l);
        if (l->fence) {
                do_stack_fence(f, l, a);
                return;
        }
        switch (l->kind) {
        case WIRE_LOCKED_FENCE: atomic_fence(__ATOMIC_SEQ_CST); return;
        case WIRE_LOCKED_SYSCALL: do_syscall(f); return;
        case WIRE_LOCKED_CLOCK: do_clock(f, l); return;
        case WIRE_LOCKED_STORE_FENCE: atomic_fence(__ATOMIC_RELEASE); return;
        case WIRE_LOCKED_CMPXCHG: do_cmpxchg(f, l, a); return;
        case WIRE_LOCKED_PAIR: do_pair(f, l, a); return;
        case WIRE_LOCKED_BTS:
        case WIRE_LOCKED_BTR:
        case WIRE_LOCKED_BTC: do_bit(f, l, a); return;
        }
        do_update(f, l, a);
}

/* Spin loops. */

/* What spin_check() compares. */
static void note_registers(struct thread *t, const struct locked_frame *f, const uint8_t *state)
{
        static const uint8_t kept[] = {RBX, RBP, R12, R13, R14, R15, RSP};
        const uint64_t *xmm = (const uint64_t *)(state + XMM_AT);
        const uint64_t *red = (const uint64_t *)(uintptr_t)(f->reg[RSP] - RED_ZONE);
        uint64_t h = 0;
        uint32_t hooks = position_of(t) - t->locked.n;

        t->locked.run = hooks == t->locked.after ? t->locked.run + 1 : 1;
        t->locked.after = hooks;
        t->locked.n++;
        for (uint32_t i = 0; i < sizeof kept; i++)
                spin_regs[i] = f->reg[kept[i]];
        spin_regs[7] = f->next;
        for (uint32_t i = 0; i < XMM_SIZE / 8; i++)
                h = hash_mix(h, xmm[i]);
        for (uint32_t i = 0; i < RED_ZONE / 8; i++)
                h = hash_mix(h, red[i]);
        for (uint32_t i = 0; i < 16; i++)
                spin_scratch[i] = f->reg[i];
        spin_scratch[16] = f->flags & FLAG_ALL;
        spin_scratch[17] = h;
        for (uint32_t i = 0; i < 17; i++)
                h = hash_mix(h, spin_scratch[i]);
        spin_regs[8] = h;
}

void locked_perform(struct locked_frame *f, const uint8_t *state)
{
        uintptr_t next, via = rt_cur ? rt_cur->stack.via : 0;
        const struct wire_locked *l = site_at((uint32_t)f->next, &next);
        struct thread *t = rt_cur;

        f->reg[RSP] = (uint64_t)(uintptr_t)(f + 1) + RT_GAP + 8 + RED_ZONE;
        if (l->slot) {
                f->next = next;
                if (t && l->kind == WIRE_LOCKED_OUTPUT)
                        cxx_stream_output(l, f->reg[RDI], f->reg[RSI], *(const uint64_t *)f->reg[RSP]);
                else if (t)
                        unseen_report(l);
                return;
        }
        if (l->kind == WIRE_LOCKED_ABORTS) {
                f->next = next;
                if (t)
                        speculation_kernel(t);
                return;
        }
        f->next = l->addr + l->length; /* for code that walks the stack until then */
        if (l->kind == WIRE_LOCKED_PAUSE) {
                if (t)
                        speculation_kernel(t);
                if (t && pause_waits(t, next == f->next)) {
                        note_registers(t, f, state);
                        pause_yield(t, f->next);
                }
                f->next = next;
                return;
        }
        if (t) {
                note_registers(t, f, state);
                t->stack.via = f->next;
                if (l->foreign) {
                        unseen_module(l);
                        spin_progress(t); /* a loop around it may write what is not seen */
                }
        }
        perform(t, f, l);
        if (t)
                t->stack.via = via;
        if (f->next == l->addr + l->length) /* else it has jumped */
                f->next = next;
}

/* Getting here. */

bool locked_trap(void *context)
{
        greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
        uint32_t at;

        if (!site_find((uintptr_t)r[REG_RIP], &at))
                return false;
        r[REG_RSP] -= RED_ZONE + 8;
        *(uint64_t *)(uintptr_t)r[REG_RSP] = at;
        r[REG_RIP] = (greg_t)(uintptr_t)locked_enter;
        return true;
}

/* The state of which the kernel takes care, as far as a compiler uses it: x87, SSE, AVX, AVX-512. */
static void find_state(void)
{
        uint32_t a = 1, b, c = 0, d;

        __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
        if (!(c & 1u << 27)) /* OSXSAVE */
                return;
        __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        locked_state_mask = a & 0xe7;
        a = 13;
        c = 0;
        __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
        locked_state_size = b;
}

void locked_init(void)
{
        find_state();
        sites_init();
}

uintptr_t locked_origin(uintptr_t pc)
{
        return patch_origin(pc);
}
