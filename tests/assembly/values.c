/*
 * Every locked instruction that is understood leaves the same values, registers and flags as the same one without a lock
 * prefix, in every form of its operands; and nothing else is touched: the red zone and vector registers.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;
static int wrong;

static uint64_t next(void)
{
        static const uint64_t corners[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, ~0ull >> 1, 1ull << 63, ~0ull};
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return state & 3 ? state >> 8 : corners[(state >> 8) % 12];
}

static void differ(const char *what, uint64_t want, uint64_t got)
{
        if (want == got)
                return;
        if (wrong++ < 20)
                printf("%s: %llx, not %llx\n", what, (unsigned long long)got, (unsigned long long)want);
}

#define CF   0x001ull
#define AF   0x010ull
#define ZF   0x040ull
#define ALL  0x8d5ull
/* The flags before are not all clear. */
#define BEFORE "subq $128, %%rsp\n pushq %[f]\n popfq\n"
#define AFTER  "pushfq\n popq %[f]\n addq $128, %%rsp"

/* op MEMORY, REGISTER: both may change. */
#define TWO(op, suffix, mod, which)                                                                               \
        for (int i = 0; i < 12; i++) {                                                                                \
                uint64_t m1 = next(), m2 = m1, r1 = next(), r2 = r1, a1 = i & 1 ? m1 : next(), a2 = a1;               \
                uint64_t f1 = next() & ALL, f2 = f1;                                                                  \
                __asm__ volatile(BEFORE #op suffix " %" mod "[r], (%[p])\n" AFTER                                         \
                                 : [f] "+&d"(f1), [r] "+&c"(r1), "+&a"(a1) : [p] "S"(&m1) : "cc", "memory");            \
                __asm__ volatile(BEFORE "lock; " #op suffix " %" mod "[r], (%[p])\n" AFTER                                \
                                 : [f] "+&d"(f2), [r] "+&c"(r2), "+&a"(a2) : [p] "S"(&m2) : "cc", "memory");            \
                differ(#op suffix " memory", m1, m2);                                                                 \
                differ(#op suffix " register", r1, r2);                                                               \
                differ(#op suffix " accumulator", a1, a2);                                                            \
                differ(#op suffix " flags", f1 & (which), f2 & (which));                                              \
        }
/* op $IMMEDIATE, MEMORY, and op MEMORY. */
#define ONE(op, suffix, before, which)                                                                                \
        for (int i = 0; i < 8; i++) {                                                                                 \
                uint64_t m1 = next(), m2 = m1, f1 = next() & ALL, f2 = f1;                                            \
                __asm__ volatile(BEFORE #op suffix " " before "(%[p])\n" AFTER                                          \
                                 : [f] "+&d"(f1) : [p] "S"(&m1) : "cc", "memory");                                      \
                __asm__ volatile(BEFORE "lock; " #op suffix " " before "(%[p])\n" AFTER                                 \
                                 : [f] "+&d"(f2) : [p] "S"(&m2) : "cc", "memory");                                      \
                differ(#op suffix " " before " memory", m1, m2);                                                      \
                differ(#op suffix " " before " flags", f1 & (which), f2 & (which));                                   \
        }
#define SIZES(form, op, ...) \
        form(op, "b", "b", __VA_ARGS__) form(op, "w", "w", __VA_ARGS__) \
        form(op, "l", "k", __VA_ARGS__) form(op, "q", "q", __VA_ARGS__)
#define SIZES1(op, before, which) ONE(op, "b", before, which) ONE(op, "w", before, which) \
        ONE(op, "l", before, which) ONE(op, "q", before, which)

static void arithmetic(void)
{
        SIZES(TWO, add, ALL)
        SIZES(TWO, sub, ALL)
        SIZES(TWO, xadd, ALL)
        SIZES1(add, "$5, ", ALL)
        SIZES1(sub, "$-7, ", ALL)
        SIZES1(add, "$0, ", ALL)
        ONE(add, "q", "$-123456789, ", ALL)
        SIZES1(inc, "", ALL)
        SIZES1(dec, "", ALL)
}

static void logic(void)
{
        SIZES(TWO, and, ALL & ~AF)
        SIZES(TWO, or, ALL & ~AF)
        SIZES(TWO, xor, ALL & ~AF)
        SIZES1(and, "$0x5a, ", ALL & ~AF)
        SIZES1(or, "$-2, ", ALL & ~AF)
        SIZES1(xor, "$0, ", ALL & ~AF)
        SIZES1(not, "", ALL)
}

static void exchanges(void)
{
        SIZES(TWO, cmpxchg, ALL)
        for (int i = 0; i < 40; i++) {
                uint64_t m1 = next(), m2 = m1, r1 = next(), r2 = r1, h1 = next(), h2 = h1;
                __asm__ volatile("xchgl %k1, %0" : "+m"(m2), "+r"(r2));
                differ("xchgl memory", (m1 & ~0xffffffffull) | (uint32_t)r1, m2);
                differ("xchgl register", (uint32_t)m1, r2);
                m2 = m1, r2 = r1;
                __asm__ volatile("xchgw %w1, %0" : "+m"(m2), "+r"(r2));
                differ("xchgw register", (r1 & ~0xffffull) | (uint16_t)m1, r2);
                m2 = m1;
                __asm__ volatile("xchgb %h1, %0" : "+m"(m2), "+a"(h2));
                differ("xchgb memory", (m1 & ~0xffull) | (uint8_t)(h1 >> 8), m2);
                differ("xchgb register", (h1 & ~0xff00ull) | (uint64_t)(uint8_t)m1 << 8, h2);
        }
}

static void bits(void)
{
        for (int i = 0; i < 60; i++) {
                uint32_t v[16], w[16];
                uint64_t n = next() % 256, f1 = next() & ALL, f2 = f1, n2 = n - 256;
                for (int k = 0; k < 16; k++)
                        v[k] = w[k] = (uint32_t)next();
                __asm__ volatile(BEFORE "btsl %k[n], (%[p])\n" AFTER : [f] "+&d"(f1) : [n] "r"(n), [p] "r"(v) : "cc", "memory");
                __asm__ volatile(BEFORE "lock btsl %k[n], (%[p])\n" AFTER : [f] "+&d"(f2) : [n] "r"(n), [p] "r"(w) : "cc", "memory");
                differ("btsl flags", f1 & CF, f2 & CF);
                differ("btsl memory", 0, (uint64_t)memcmp(v, w, sizeof v));
                __asm__ volatile(BEFORE "btrq %[n], (%[p])\n" AFTER : [f] "+&d"(f1) : [n] "r"(n), [p] "r"(v) : "cc", "memory");
                __asm__ volatile(BEFORE "lock btrq %[n], (%[p])\n" AFTER : [f] "+&d"(f2) : [n] "r"(n), [p] "r"(w) : "cc", "memory");
                differ("btrq flags", f1 & CF, f2 & CF);
                differ("btrq memory", 0, (uint64_t)memcmp(v, w, sizeof v));
                __asm__ volatile(BEFORE "btcq %[n], (%[p])\n" AFTER : [f] "+&d"(f1) : [n] "r"(n2), [p] "r"(v + 8) : "cc", "memory");
                __asm__ volatile(BEFORE "lock btcq %[n], (%[p])\n" AFTER : [f] "+&d"(f2) : [n] "r"(n2), [p] "r"(w + 8) : "cc", "memory");
                __asm__ volatile(BEFORE "btsw $21, (%[p])\n" AFTER : [f] "+&d"(f1) : [p] "r"(v) : "cc", "memory");
                __asm__ volatile(BEFORE "lock btsw $21, (%[p])\n" AFTER : [f] "+&d"(f2) : [p] "r"(w) : "cc", "memory");
                differ("btsw flags", f1 & CF, f2 & CF);
                differ("btc, bts memory", 0, (uint64_t)memcmp(v, w, sizeof v));
        }
}

static void pairs(void)
{
        for (int i = 0; i < 20; i++) {
                _Alignas(16) uint64_t m[2] = {next(), next()}, n[2] = {m[0], m[1]};
                uint64_t a = i & 1 ? m[0] : next(), d = m[1], a2 = a, d2 = d, b = next(), c = next(), f;
                __asm__ volatile("subq $128, %%rsp\n lock cmpxchg16b (%[p])\n" AFTER
                                 : "+a"(a2), "+d"(d2), [f] "=&r"(f) : [p] "S"(n), "b"(b), "c"(c) : "cc", "memory");
                int same = a == m[0] && d == m[1];
                differ("cmpxchg16b flag", same ? ZF : 0, f & ZF);
                differ("cmpxchg16b rax", m[0], a2);
                differ("cmpxchg16b rdx", m[1], d2);
                differ("cmpxchg16b memory", same ? b : m[0], n[0]);
                differ("cmpxchg16b memory", same ? c : m[1], n[1]);
        }
}

static uint32_t global[8];

/* Where the memory is. */
static void addresses(void)
{
        uint64_t i = 3, sum;

        memset(global, 0, sizeof global);
        __asm__ volatile("lock addl $1, %0" : "+m"(global[0]));
        __asm__ volatile("lock addl $2, 4(%0,%1,4)" ::"r"(global), "r"(i) : "memory");
        __asm__ volatile("lock addl $4, -8(%0,%1,8)" ::"r"(global), "r"(i) : "memory");
        __asm__ volatile("lock addl $8, (,%0,4)" ::"r"((uintptr_t)(global + 6) / 4) : "memory");
        differ("addresses", 1, global[0]);
        differ("addresses", 2 + 4, global[4]);
        differ("addresses", 8, global[6]);
        __asm__ volatile("subq $128, %%rsp\n pushq $5\n pushq $6\n lock addq $10, 8(%%rsp)\n lock subq $1, (%%rsp)\n"
                         "movl $1, %%ecx\n lock incq (%%rsp,%%rcx,8)\n popq %0\n popq %%rcx\n addq %%rcx, %0\n"
                         "addq $128, %%rsp"
                         : "=r"(sum)::"rcx", "cc", "memory");
        differ("stack", 5 + 16, sum);
}

static volatile int shared, go;

static void *other(void *arg)
{
        (void)arg;
        __asm__ volatile("pcmpeqd %%xmm0, %%xmm0\n pcmpeqd %%xmm7, %%xmm7\n pcmpeqd %%xmm15, %%xmm15" ::: "xmm0", "xmm7", "xmm15");
        __asm__ volatile("lock incl %0" : "+m"(shared));
        __asm__ volatile("lock incl %0" : "+m"(shared));
        return NULL;
}

/* Others run while the instruction waits for its turn. */
static void kept(void)
{
        uint64_t in = 0x1122334455667788, x0, x7, x15, red;
        pthread_t t;

        pthread_create(&t, NULL, other, NULL);
        __asm__ volatile("movq %[in], %%xmm0\n movq %[in], %%xmm7\n movq %[in], %%xmm15\n movq %[in], -8(%%rsp)\n"
                         "lock incl %[m]\n"
                         "movq %%xmm0, %[x0]\n movq %%xmm7, %[x7]\n movq %%xmm15, %[x15]\n movq -8(%%rsp), %[red]\n"
                         : [x0] "=&r"(x0), [x7] "=&r"(x7), [x15] "=&r"(x15), [red] "=&r"(red), [m] "+m"(shared)
                         : [in] "r"(in)
                         : "xmm0", "xmm7", "xmm15", "cc", "memory");
        pthread_join(t, NULL);
        differ("xmm0", in, x0);
        differ("xmm7", in, x7);
        differ("xmm15", in, x15);
        differ("red zone", in, red);
        differ("shared", 3, (uint64_t)shared);
}

int main(void)
{
        arithmetic();
        logic();
        exchanges();
        bits();
        pairs();
        addresses();
        kept();
        return wrong ? 1 : 0;
}
