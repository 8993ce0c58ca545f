/*
 * Random programs of the model.  Every store writes a value of its own into each of its bytes, so that a load shows
 * whose bytes it saw.
 *
 * Three kinds of memory: words of their own, words that share a granule of 8 bytes, and accesses of all sizes that
 * overlap.  Bytes 24 to 31 are kept for spinlocks.
 */
#include "program.h"

#include <string.h>

struct generator {
        uint64_t seed;
        struct program *p;
        int stores; /* values used so far */
        int style;
        int left; /* operations that may still be made */
};

static unsigned pick(struct generator *g, unsigned n)
{
        uint64_t z = (g->seed += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        return (unsigned)((z ^ z >> 31) % n);
}

static uint64_t pattern(int id, int size)
{
        return low((uint64_t)id * UINT64_C(0x0101010101010101), size);
}

static void pick_place(struct generator *g, struct op *o)
{
        switch (g->style) {
        case 0:
                o->size = 4;
                o->off = 8 * (int)pick(g, 2 + pick(g, 8) / 7);
                break;
        case 1:
                o->size = 4;
                o->off = 4 * (int)pick(g, 2 + pick(g, 3) / 2);
                break;
        default:
                o->size = 1 << pick(g, 4);
                o->off = pick(g, 5) ? (int)pick(g, 8) & -o->size : 8 + ((int)pick(g, 4) & -o->size);
                break;
        }
}

/* A value that a register or a place may well have. */
static uint64_t likely(struct generator *g, int size)
{
        return pick(g, 3) ? pattern((int)pick(g, (unsigned)g->stores + 2), size) : 0;
}

/* A register that this thread has set, or NO_REG. */
static int pick_reg(struct generator *g, const struct thread *t)
{
        int regs[MAX_OPS], n = 0;
        for (int i = 0; i < t->n; i++)
                if (t->ops[i].reg != NO_REG)
                        regs[n++] = t->ops[i].reg;
        return n ? regs[pick(g, (unsigned)n)] : NO_REG;
}

static void make_access(struct generator *g, struct op *o, const struct thread *t)
{
        static const enum order of_store[] = {PLAIN,   PLAIN,   PLAIN,   PLAIN,   RELAXED, RELAXED,
                                              RELAXED, RELAXED, RELAXED, RELEASE, RELEASE, SEQ_CST};
        static const enum order of_load[] = {PLAIN, PLAIN, PLAIN, RELAXED, RELAXED, ACQUIRE, SEQ_CST};
        static const enum order of_rmw[] = {RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST};
        unsigned k = pick(g, 100);
        int last = t->n ? t->ops[t->n - 1].off : -1;
        do /* the next access is to another place, most often */
                pick_place(g, o);
        while (o->off == last && pick(g, 4));
        if (k < 50) {
                o->kind = OP_STORE;
                o->order = of_store[pick(g, 12)];
        } else if (k < 90 || g->p->n_regs >= MAX_REGS - 1) {
                o->kind = OP_LOAD;
                o->order = of_load[pick(g, 7)];
        } else {
                o->kind = k < 93 ? OP_XCHG : k < 96 ? OP_ADD : OP_CAS;
                o->order = of_rmw[pick(g, 5)];
                o->expected = likely(g, o->size);
        }
        if (o->order == PLAIN && g->style == 2 && pick(g, 3) == 0) { /* across words */
                o->size = pick(g, 2) ? 16 : 4 << pick(g, 2);
                o->off = o->size == 16 ? (pick(g, 3) ? 8 * (int)pick(g, 2) : (int)pick(g, 9)) : (int)pick(g, 12);
        }
        if (o->kind != OP_STORE)
                o->reg = g->p->n_regs++;
        if (o->kind == OP_STORE && o->size < 16 && pick(g, 10) == 0)
                o->from = pick_reg(g, t);
        if (o->kind != OP_LOAD && o->from == NO_REG)
                o->value = pattern(++g->stores, o->size);
}

static void add(struct thread *t, enum kind kind, int off)
{
        t->ops[t->n++] = (struct op){.kind = kind,
                                     .off = off,
                                     .size = kind == OP_SPINLOCK || kind == OP_SPINUNLOCK ? 4 : 0,
                                     .reg = NO_REG,
                                     .from = NO_REG,
                                     .if_reg = NO_REG};
}

/* memset, memmove and memcmp. */
static void make_block(struct generator *g, struct op *o)
{
        static const enum kind kinds[] = {OP_SET, OP_SET, OP_COPY, OP_COPY, OP_COPY, OP_COMPARE};
        bool even = pick(g, 2);
        o->kind = g->p->n_regs < MAX_REGS - 1 ? kinds[pick(g, 6)] : OP_SET;
        o->off = even ? 8 * (int)pick(g, 2) : (int)pick(g, 12);
        o->value = o->kind == OP_SET ? pattern(++g->stores, 1) : even ? 8 * pick(g, 2) : pick(g, 12);
        o->size = even ? 8 + 4 * (int)pick(g, 3) : 1 + (int)pick(g, o->kind == OP_SET ? 24 - (unsigned)o->off : 12);
        if (o->kind == OP_COMPARE) { /* of ranges that do not overlap */
                int apart = o->off > (int)o->value ? o->off - (int)o->value : (int)o->value - o->off;
                o->value += apart ? 0 : 8;
                o->size = apart && apart < o->size ? apart : o->size > 8 ? 8 : o->size;
                o->reg = g->p->n_regs++;
        }
}

static void make_op(struct generator *g, struct thread *t)
{
        static const enum order of_fence[] = {SEQ_CST, SEQ_CST, SEQ_CST, RELEASE, RELEASE, RELEASE, ACQUIRE, ACQ_REL};
        struct op o = {.reg = NO_REG, .from = NO_REG, .if_reg = NO_REG};
        if (pick(g, 12) == 0 && t->n) {
                o.kind = OP_FENCE;
                o.order = of_fence[pick(g, 8)];
        } else {
                if (pick(g, 9) == 0)
                        o.if_reg = pick_reg(g, t);
                if (g->style == 2 && pick(g, 6) == 0)
                        make_block(g, &o);
                else
                        make_access(g, &o, t);
                if (o.kind == OP_LOAD && !is_wide(&o) && pick(g, 16) == 0) {
                        o.kind = OP_AWAIT;
                        o.reg = NO_REG;
                        o.value = likely(g, o.size);
                }
                o.if_value = o.if_reg == NO_REG ? 0 : likely(g, o.size);
        }
        g->left--;
        t->ops[t->n++] = o;
}

/* A few operations, some of them in a critical section. */
static void make_thread(struct generator *g, struct thread *t, int n)
{
        while (n > 0 && g->left > 0) {
                unsigned k = pick(g, 24);
                enum kind in = k == 0 ? OP_LOCK : OP_SPINLOCK, out = k == 0 ? OP_UNLOCK : OP_SPINUNLOCK;
                int off = k == 0 ? (int)pick(g, MUTEXES) : 24;
                if (k > 1 || t->n + 5 > MAX_OPS) {
                        make_op(g, t);
                        n--;
                        continue;
                }
                int inside = 1 + (int)pick(g, 2);
                add(t, in, off);
                for (; inside > 0; inside--, n--)
                        make_op(g, t);
                add(t, out, off);
                g->left--;
        }
}

void program_generate(struct program *p, uint64_t seed, int index, int variant)
{
        struct generator g = {.seed = (seed * 1000003 + (uint64_t)index) * 64 + (uint64_t)variant, .p = p};
        memset(p, 0, sizeof(*p));
        snprintf(p->name, sizeof(p->name), "s%llu-%d-%d", (unsigned long long)seed, index, variant);
        g.style = (int)pick(&g, 3);
        bool own = pick(&g, 4) == 0; /* main takes part */
        p->n_threads = 3 + (pick(&g, 3) == 0 && !own);
        g.left = p->n_threads > 3 ? 10 : own ? 8 : 9;
        struct thread *m = &p->threads[0];
        if (pick(&g, 8) == 0)
                make_op(&g, m);
        for (int t = 1; t < p->n_threads; t++) {
                add(m, OP_CREATE, t);
                if (own && pick(&g, 3) == 0)
                        make_op(&g, m);
        }
        if (own)
                make_thread(&g, m, 1 + (int)pick(&g, 2));
        for (int t = 1; t < p->n_threads; t++)
                make_thread(&g, &p->threads[t], p->n_threads > 3 ? 2 + (int)pick(&g, 2) : 2 + (int)pick(&g, 4));
        for (int t = 1; t < p->n_threads; t++) {
                add(m, OP_JOIN, t);
                if (own && pick(&g, 6) == 0)
                        make_op(&g, m);
        }
}
