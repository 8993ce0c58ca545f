/* See control.h.  Blocks are numbered from 1 in the order of the function; 0 is the end that follows all ends. */
#include "static/control.h"

#include <stdlib.h>
#include <string.h>

#include "base/ptrmap.h"

struct flow {
        uint32_t n; /* blocks, and the end */
        LLVMBasicBlockRef *blocks;
        struct ptrmap numbers;  /* block -> number */
        VEC(uint32_t) * before; /* of each block: those that may come right before it */
        uint32_t *order, *rank,
                n_order;  /* backwards from the end, each after those behind it; rank: the reverse of it */
        uint32_t *behind; /* the next post-dominator */
        bool *ends;       /* the end follows */
};

static void *array(size_t n, size_t size)
{
        void *p = calloc(n, size);

        if (!p)
                memory_out();
        return p;
}

static unsigned successors(const struct flow *f, uint32_t block)
{
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[block]);

        return last ? LLVMGetNumSuccessors(last) : 0;
}

static uint32_t successor(const struct flow *f, uint32_t block, unsigned i)
{
        LLVMBasicBlockRef b = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(f->blocks[block]), i);

        return (uint32_t)(uintptr_t)ptrmap_find(&f->numbers, (uintptr_t)b);
}

static void add_before(struct flow *f, uint32_t block, uint32_t other)
{
        vec_need(&f->before[block], 1);
        *vec_push(&f->before[block]) = other;
}

static void flow_init(struct flow *f, LLVMValueRef function)
{
        uint32_t n = LLVMCountBasicBlocks(function) + 1, i = 1;

        *f = (struct flow){.n = n};
        f->blocks = array(n, sizeof *f->blocks);
        f->before = array(n, sizeof *f->before);
        f->order = array(n, sizeof *f->order);
        f->rank = array(n, sizeof *f->rank);
        f->behind = array(n, sizeof *f->behind);
        f->ends = array(n, sizeof *f->ends);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), i++) {
                f->blocks[i] = b;
                if (ptrmap_insert(&f->numbers, (uintptr_t)b, (void *)(uintptr_t)i))
                        memory_out();
        }
        for (i = 1; i < n; i++) {
                unsigned k = successors(f, i);
                f->ends[i] = k == 0;
                if (!k)
                        add_before(f, 0, i);
                while (k-- > 0)
                        add_before(f, successor(f, i, k), i);
        }
}

static void flow_fini(struct flow *f)
{
        for (uint32_t i = 0; i < f->n; i++)
                vec_fini(&f->before[i]);
        ptrmap_fini(&f->numbers, NULL);
        free(f->blocks);
        free(f->before);
        free(f->order);
        free(f->rank);
        free(f->behind);
        free(f->ends);
}

/* Depth first, backwards from a block, without recursion: a block is put into the order when all before it are. */
static void walk(struct flow *f, bool *seen, uint32_t from)
{
        struct step {
                uint32_t block, next;
        } *stack = array(f->n, sizeof *stack);
        uint32_t depth = 0;

        stack[depth++] = (struct step){from, 0};
        seen[from] = true;
        while (depth) {
                struct step *top = &stack[depth - 1];
                if (top->next == f->before[top->block].n) {
                        f->order[f->n_order++] = top->block;
                        depth--;
                        continue;
                }
                uint32_t b = f->before[top->block].at[top->next++];
                if (!seen[b]) {
                        seen[b] = true;
                        stack[depth++] = (struct step){b, 0};
                }
        }
        free(stack);
}

/* Loops without end: their blocks end, too, until all are reached.  Later blocks first, as a loop's last block ends it. */
static void find_order(struct flow *f)
{
        bool *seen = array(f->n, sizeof *seen);

        seen[0] = true;
        for (uint32_t i = 0; i < f->before[0].n; i++)
                if (!seen[f->before[0].at[i]])
                        walk(f, seen, f->before[0].at[i]);
        for (uint32_t i = f->n; i-- > 1;) {
                if (seen[i])
                        continue;
                f->ends[i] = true;
                add_before(f, 0, i);
                walk(f, seen, i);
        }
        f->order[f->n_order++] = 0;
        for (uint32_t i = 0; i < f->n_order; i++)
                f->rank[f->order[i]] = i;
        free(seen);
}

static uint32_t common(const struct flow *f, uint32_t a, uint32_t b)
{
        while (a != b) {
                while (f->rank[a] < f->rank[b])
                        a = f->behind[a];
                while (f->rank[b] < f->rank[a])
                        b = f->behind[b];
        }
        return a;
}

static uint32_t next_behind(const struct flow *f, const bool *known, uint32_t block)
{
        uint32_t found = f->ends[block] ? 0 : UINT32_MAX;

        for (unsigned k = 0, n = successors(f, block); k < n; k++) {
                uint32_t s = successor(f, block, k);
                if (known[s])
                        found = found == UINT32_MAX ? s : common(f, found, s);
        }
        return found;
}

static void find_behind(struct flow *f)
{
        bool *known = array(f->n, sizeof *known);

        known[0] = true;
        for (bool changed = true; changed;) {
                changed = false;
                for (uint32_t i = f->n_order - 1; i-- > 0;) {
                        uint32_t b = f->order[i], is = next_behind(f, known, b);
                        if (is != UINT32_MAX && (!known[b] || f->behind[b] != is)) {
                                f->behind[b] = is;
                                known[b] = changed = true;
                        }
                }
        }
        free(known);
}

void control_init(struct control *c, LLVMValueRef function)
{
        struct flow f;

        *c = (struct control){.edges = {0}};
        flow_init(&f, function);
        find_order(&f);
        find_behind(&f);
        for (uint32_t a = 1; a < f.n; a++) {
                unsigned n = successors(&f, a);
                for (unsigned k = 0; n > 1 && k < n; k++)
                        for (uint32_t b = successor(&f, a, k); b && b != f.behind[a]; b = f.behind[b]) {
                                vec_need(&c->edges, 1);
                                *vec_push(&c->edges) = (struct control_edge){f.blocks[a], f.blocks[b]};
                        }
        }
        flow_fini(&f);
}

void control_fini(struct control *c)
{
        vec_fini(&c->edges);
}
