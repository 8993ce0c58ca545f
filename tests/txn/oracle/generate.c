/* Random programs: about two threads with two steps each, most of them transactions. */
#include "program.h"

#include <string.h>

struct generator {
        uint64_t seed;
        struct thread *t;
        int left;
};

static unsigned pick(struct generator *g, unsigned n)
{
        uint64_t z = (g->seed += UINT64_C(0x9e3779b97f4a7c15));

        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        return (unsigned)((z ^ z >> 31) % n);
}

static struct op *add(struct generator *g, enum kind kind, unsigned at)
{
        struct op *o = &g->t->ops[g->t->n++];

        *o = (struct op){.kind = kind, .at = (int)at, .value = 1 + (int)pick(g, 2), .code = (int)pick(g, 256)};
        return o;
}

static unsigned cell(struct generator *g)
{
        return pick(g, 5) % CELLS;
}

static void plain(struct generator *g)
{
        static const enum kind kinds[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_STORE, OP_STORE, OP_ADD, OP_FENCE, OP_TEST};

        add(g, kinds[pick(g, 8)], cell(g));
}

static void locked(struct generator *g, bool inside)
{
        unsigned m = pick(g, MUTEXES);

        add(g, OP_LOCK, m);
        if (inside)
                add(g, pick(g, 2) ? OP_STORE : OP_INC, cell(g));
        else
                plain(g);
        add(g, OP_UNLOCK, m);
}

static void inside(struct generator *g)
{
        unsigned k = pick(g, 20);

        if (k < 5)
                add(g, OP_LOAD, cell(g));
        else if (k < 9)
                add(g, OP_STORE, cell(g));
        else if (k < 12)
                add(g, OP_INC, cell(g));
        else if (k < 15)
                add(g, OP_ABORT, cell(g))->value = (int)pick(g, 3);
        else if (k < 16)
                add(g, OP_CALL, cell(g))->value = (int)pick(g, 3);
        else if (k < 17)
                locked(g, true);
        else
                add(g, k < 18 ? OP_MALLOC : k < 19 ? OP_ADD : OP_TEST, cell(g));
}

static void transaction(struct generator *g)
{
        int begin = g->t->n, end;
        struct op *o = add(g, OP_BEGIN, 0);
        bool nested = pick(g, 8) == 0;

        o->tested = pick(g, 4) == 0;
        o->tries = 1 + (pick(g, 5) == 0);
        if (nested)
                add(g, OP_NEST, 0);
        for (int n = 1 + (int)pick(g, 3); n > 0; n--)
                inside(g);
        if (nested) {
                add(g, OP_UNNEST, 0);
                inside(g);
        }
        end = g->t->n;
        add(g, OP_END, 0);
        g->t->ops[begin].to = g->t->n;
        switch (pick(g, 4)) {
        case 0: break;
        case 1: locked(g, false); break;
        default: plain(g); break;
        }
        g->t->ops[end].to = g->t->n;
}

void program_generate(struct program *p, uint64_t seed)
{
        struct generator g = {.seed = seed * 1000003};

        memset(p, 0, sizeof(*p));
        p->n_threads = pick(&g, 4) ? 2 : 3;
        p->packed = pick(&g, 4) == 0;
        for (int t = 0; t < p->n_threads; t++) {
                g.t = &p->threads[t];
                for (int n = p->n_threads == 2 ? 1 + (int)pick(&g, 2) : 1; n > 0; n--) {
                        if (pick(&g, 3) == 0)
                                plain(&g);
                        if (pick(&g, 4))
                                transaction(&g);
                        else if (pick(&g, 4) == 0)
                                locked(&g, false);
                        else
                                plain(&g);
                }
                if (pick(&g, 2))
                        plain(&g);
        }
}
