/* See points.h. */
#include "static/points.h"

#include <string.h>

#include "base/hash.h"

#define SMALL 16u

/* Most nodes have few elements: less room than an array has at first. */
#define FEW(v)                                                 \
        do {                                                   \
                if (!(v)->room) {                              \
                        (v)->at = malloc(4 * sizeof *(v)->at); \
                        if (!(v)->at)                          \
                                memory_out();                  \
                        (v)->room = 4;                         \
                }                                              \
        } while (0)

void points_init(struct points *p)
{
        memset(p, 0, sizeof *p);
        cells_init(&p->cells);
        points_node(p);
        points_node(p);
        p->copy_bits = 12;
        p->enough = POINTS_ENOUGH;
        p->copies = calloc((size_t)1 << p->copy_bits, sizeof *p->copies);
        if (!p->copies)
                memory_out();
}

void points_fini(struct points *p)
{
        for (uint32_t i = 0; i < p->nodes.n; i++) {
                vec_fini(&p->nodes.at[i].locs);
                vec_fini(&p->nodes.at[i].constraints);
                free(p->nodes.at[i].table);
        }
        vec_fini(&p->nodes);
        vec_fini(&p->queue);
        free(p->copies);
        cells_fini(&p->cells);
}

uint32_t points_node(struct points *p)
{
        vec_need(&p->nodes, 1);
        memset(vec_push(&p->nodes), 0, sizeof *p->nodes.at);
        return p->nodes.n - 1;
}

static void enqueue(struct points *p, uint32_t node)
{
        if (p->nodes.at[node].queued)
                return;
        p->nodes.at[node].queued = true;
        vec_need(&p->queue, 1);
        *vec_push(&p->queue) = node;
}

/* Adds to the table of a node; false: it is there.  A slot has the location + 1. */
static bool table_add(uint32_t *table, uint32_t bits, uint32_t loc)
{
        uint64_t mask = ((uint64_t)1 << bits) - 1, i = hash_slot(loc + 1, bits);

        for (; table[i]; i = (i + 1) & mask)
                if (table[i] == loc + 1)
                        return false;
        table[i] = loc + 1;
        return true;
}

static void table_grow(struct node *n)
{
        free(n->table);
        n->bits = n->bits ? n->bits + 1 : 6;
        n->table = calloc((size_t)1 << n->bits, sizeof *n->table);
        if (!n->table)
                memory_out();
        for (uint32_t i = 0; i < n->locs.n; i++)
                table_add(n->table, n->bits, n->locs.at[i]);
}

bool points_has(const struct points *p, uint32_t node, uint32_t loc)
{
        const struct node *n = &p->nodes.at[node];

        for (uint32_t i = 0; i < n->locs.n; i++)
                if (n->locs.at[i] == loc)
                        return true;
        return false;
}

void points_add(struct points *p, uint32_t node, uint32_t loc)
{
        struct node *n = &p->nodes.at[node];

        p->work++;
        if (node == POINTS_EMPTY)
                return;
        if (p->cells.objects.at[p->cells.locs.at[loc].object].escaped)
                loc = CELLS_UNKNOWN; /* which stands for it */
        if (n->table) {
                if (!table_add(n->table, n->bits, loc))
                        return;
        } else if (points_has(p, node, loc)) {
                return;
        }
        FEW(&n->locs);
        vec_need(&n->locs, 1);
        *vec_push(&n->locs) = loc;
        if (n->table ? (uint64_t)n->locs.n * 2 > (uint64_t)1 << n->bits : n->locs.n > SMALL)
                table_grow(n);
        enqueue(p, node);
}

/* Adds a pair to `copies`; false: it is there. */
static bool copies_add(struct points *p, uint64_t pair)
{
        uint64_t mask = ((uint64_t)1 << p->copy_bits) - 1, i = hash_slot(pair, p->copy_bits);

        for (; p->copies[i]; i = (i + 1) & mask)
                if (p->copies[i] == pair)
                        return false;
        p->copies[i] = pair;
        return true;
}

static bool is_new_copy(struct points *p, uint32_t from, uint32_t to)
{
        if (!copies_add(p, (uint64_t)from << 32 | to))
                return false;
        if (++p->n_copies * 2 <= (uint64_t)1 << p->copy_bits)
                return true;
        uint64_t *old = p->copies, n = (uint64_t)1 << p->copy_bits;
        p->copies = calloc(2 * n, sizeof *p->copies);
        if (!p->copies)
                memory_out();
        p->copy_bits++;
        for (uint64_t i = 0; i < n; i++)
                if (old[i])
                        copies_add(p, old[i]);
        free(old);
        return true;
}

static void apply(struct points *p, const struct constraint *c, uint32_t loc);

void points_constrain(struct points *p, uint32_t node, struct constraint c)
{
        struct node *n = &p->nodes.at[node];

        if (node == POINTS_EMPTY)
                return;
        FEW(&n->constraints);
        vec_need(&n->constraints, 1);
        *vec_push(&n->constraints) = c;
        for (uint32_t i = 0, done = n->done; i < done; i++)
                apply(p, &c, p->nodes.at[node].locs.at[i]);
}

void points_copy(struct points *p, uint32_t from, uint32_t to)
{
        if (from == to || from == POINTS_EMPTY || to == POINTS_EMPTY || !is_new_copy(p, from, to))
                return;
        points_constrain(p, from, (struct constraint){.kind = C_COPY, .other = to});
}

/* What is in memory that unknown code reaches, it reaches, too, and it may store there whatever it reaches. */
static void cell_escapes(struct points *p, uint32_t cell)
{
        points_copy(p, p->cells.cells.at[cell].in, POINTS_ESCAPED);
        points_add(p, p->cells.cells.at[cell].out, CELLS_UNKNOWN);
}

static void escape(struct points *p, uint32_t object)
{
        if (p->cells.objects.at[object].escaped)
                return;
        p->cells.objects.at[object].escaped = true;
        for (uint32_t i = 0; i < p->cells.objects.at[object].cells.n; i++)
                cell_escapes(p, p->cells.objects.at[object].cells.at[i]);
        if (p->cells.objects.at[object].kind == OBJECT_FUNCTION)
                p->called(p->owner, UINT32_MAX, object);
}

uint32_t points_cell(struct points *p, uint32_t loc, uint32_t size)
{
        bool made;
        uint32_t at = cells_cell(&p->cells, loc, size, &made), in, out;
        struct cell *c;

        if (!made)
                return at;
        in = points_node(p);
        out = points_node(p);
        c = &p->cells.cells.at[at];
        c->in = in;
        c->out = out;
        struct object *o = &p->cells.objects.at[c->at.object];
        for (uint32_t i = 0; i < o->cells.n; i++) {
                struct cell *other = &p->cells.cells.at[o->cells.at[i]];
                if (!cells_overlap(c->at, c->size, other->at, other->size))
                        continue;
                points_copy(p, in, other->out);
                points_copy(p, other->in, out);
        }
        if (o->escaped)
                cell_escapes(p, at);
        return at;
}

/* The nodes of a cell that may have to be made first. */
static uint32_t stored_in(struct points *p, uint32_t loc, uint32_t size)
{
        uint32_t cell = points_cell(p, loc, size);

        return p->cells.cells.at[cell].in;
}

static uint32_t found_in(struct points *p, uint32_t loc, uint32_t size)
{
        uint32_t cell = points_cell(p, loc, size);

        return p->cells.cells.at[cell].out;
}

/* Memory that is copied: not told apart by offset. */
static void copy_memory(struct points *p, uint32_t from, uint32_t to)
{
        uint32_t a = p->cells.locs.at[from].object, b = p->cells.locs.at[to].object;

        if (a == CELLS_UNKNOWN && b == CELLS_UNKNOWN)
                return;
        if (a == CELLS_UNKNOWN) {
                points_add(p, stored_in(p, to, CELLS_WHOLE), CELLS_UNKNOWN);
                return;
        }
        uint32_t source = found_in(p, from, CELLS_WHOLE);
        points_copy(p, source, b == CELLS_UNKNOWN ? POINTS_ESCAPED : stored_in(p, to, CELLS_WHOLE));
}

static void apply_copies(struct points *p, uint32_t other, uint32_t loc, bool from)
{
        for (uint32_t i = 0; i < p->nodes.at[other].locs.n; i++)
                copy_memory(p, from ? loc : p->nodes.at[other].locs.at[i], from ? p->nodes.at[other].locs.at[i] : loc);
}

/* A constraint of a node that points to this location. */
static void apply(struct points *p, const struct constraint *c, uint32_t loc)
{
        uint32_t object = p->cells.locs.at[loc].object;

        switch ((enum constraint_kind)c->kind) {
        case C_COPY: points_add(p, c->other, loc); break;
        case C_SHIFT: points_add(p, c->other, cells_shift(&p->cells, loc, c->offset, c->stride)); break;
        case C_LOAD:
                if (object == CELLS_UNKNOWN)
                        points_add(p, c->other, CELLS_UNKNOWN);
                else
                        points_copy(p, found_in(p, loc, (uint32_t)c->offset), c->other);
                break;
        case C_STORE:
                if (object == CELLS_UNKNOWN)
                        points_copy(p, c->other, POINTS_ESCAPED);
                else
                        points_copy(p, c->other, stored_in(p, loc, (uint32_t)c->offset));
                break;
        case C_FROM: apply_copies(p, c->other, loc, true); break;
        case C_TO: apply_copies(p, c->other, loc, false); break;
        case C_CALL: p->called(p->owner, c->other, object); break;
        }
}

static void process(struct points *p, uint32_t node)
{
        p->nodes.at[node].queued = false;
        while (p->nodes.at[node].done < p->nodes.at[node].locs.n) {
                uint32_t loc = p->nodes.at[node].locs.at[p->nodes.at[node].done++];

                if (node == POINTS_ESCAPED)
                        escape(p, p->cells.locs.at[loc].object);
                for (uint32_t i = 0; i < p->nodes.at[node].constraints.n; i++) {
                        struct constraint c = p->nodes.at[node].constraints.at[i];
                        apply(p, &c, loc);
                }
        }
}

/*
 * The largest set is taken for one that unknown code reaches: more is relevant than has to be, and sets stay small.  Programs that
 * manage their own memory have blocks that may be anything.
 */
static void widen(struct points *p)
{
        uint32_t largest = POINTS_EMPTY;

        for (uint32_t i = POINTS_ESCAPED + 1; i < p->nodes.n; i++)
                if (!p->nodes.at[i].widened && p->nodes.at[i].locs.n > p->nodes.at[largest].locs.n)
                        largest = i;
        p->nodes.at[largest].widened = true;
        points_copy(p, largest, POINTS_ESCAPED);
        p->enough = p->work + POINTS_ENOUGH / 4;
}

bool points_solve(struct points *p)
{
        for (uint32_t head = 0; head < p->queue.n; head++) {
                if (p->nodes.at[POINTS_ESCAPED].done < p->nodes.at[POINTS_ESCAPED].locs.n)
                        process(p, POINTS_ESCAPED); /* first: it makes the others smaller */
                process(p, p->queue.at[head]);
                if (p->work > p->most)
                        return false;
                if (p->work > p->enough)
                        widen(p);
                if (head >= 1u << 16 && head * 2 > p->queue.n) { /* the front is not needed any more */
                        memmove(p->queue.at, p->queue.at + head + 1, (p->queue.n - head - 1) * sizeof *p->queue.at);
                        p->queue.n -= head + 1;
                        head = UINT32_MAX;
                }
        }
        p->queue.n = 0;
        return true;
}
