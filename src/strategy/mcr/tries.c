/* See tries.h. */
#include "strategy/mcr/tries.h"

#include <stdlib.h>

#include "base/hash.h"

#define FIRST_BITS 10u

static uint32_t *table(uint32_t bits)
{
        uint32_t *t = calloc((size_t)1 << bits, sizeof *t);

        if (!t)
                memory_out();
        return t;
}

static uint64_t edge_key(uint32_t parent, uint64_t result)
{
        return hash_mix(hash_scatter(parent), result);
}

static uint64_t place_key(uint32_t kind, uint64_t key)
{
        return hash_mix(kind + 1, key);
}

/* The slot of an edge, or the empty one where it belongs. */
static uint32_t *edge_slot(const struct tries *t, uint32_t parent, uint64_t result)
{
        uint64_t mask = ((uint64_t)1 << t->edge_bits) - 1, i = hash_slot(edge_key(parent, result), t->edge_bits);

        while (t->edges[i] && (t->nodes.at[t->edges[i]].parent != parent || t->nodes.at[t->edges[i]].result != result))
                i = (i + 1) & mask;
        return &t->edges[i];
}

static uint32_t *place_slot(const struct tries *t, uint32_t kind, uint64_t key)
{
        uint64_t mask = ((uint64_t)1 << t->place_bits) - 1, i = hash_slot(place_key(kind, key), t->place_bits);

        while (t->places[i] && (t->cells.at[t->places[i]].kind != kind || t->cells.at[t->places[i]].key != key))
                i = (i + 1) & mask;
        return &t->places[i];
}

static void edges_grow(struct tries *t)
{
        if ((uint64_t)t->nodes.n * 2 < (uint64_t)1 << t->edge_bits)
                return;
        free(t->edges);
        while ((uint64_t)t->nodes.n * 2 >= (uint64_t)1 << t->edge_bits)
                t->edge_bits++;
        t->edges = table(t->edge_bits);
        for (uint32_t i = 1; i < t->nodes.n; i++)
                if (t->nodes.at[i].parent)
                        *edge_slot(t, t->nodes.at[i].parent, t->nodes.at[i].result) = i;
}

static void places_grow(struct tries *t)
{
        if ((uint64_t)t->cells.n * 2 < (uint64_t)1 << t->place_bits)
                return;
        free(t->places);
        while ((uint64_t)t->cells.n * 2 >= (uint64_t)1 << t->place_bits)
                t->place_bits++;
        t->places = table(t->place_bits);
        for (uint32_t i = 1; i < t->cells.n; i++)
                *place_slot(t, t->cells.at[i].kind, t->cells.at[i].key) = i;
}

static uint32_t node_make(struct tries *t, struct node node)
{
        if (!vec_reserve(&t->nodes, 1))
                memory_out();
        *vec_push(&t->nodes) = node;
        edges_grow(t);
        return t->nodes.n - 1;
}

void tries_init(struct tries *t)
{
        *t = (struct tries){.edge_bits = FIRST_BITS, .place_bits = FIRST_BITS};
        t->edges = table(FIRST_BITS);
        t->places = table(FIRST_BITS);
        if (!vec_reserve(&t->nodes, 1) || !vec_reserve(&t->cells, 1))
                memory_out();
        *vec_push(&t->nodes) = (struct node){0};
        *vec_push(&t->cells) = (struct cell){0};
        t->process = tries_cell_make(t, CELL_PROCESS, 0, 0);
        tries_root(t, 0);
        t->cells.at[tries_thread(t, 0)].init = TRIES_MAIN;
}

void tries_forget(struct tries *t)
{
        vec_fini(&t->nodes);
        vec_fini(&t->cells);
        vec_fini(&t->threads);
        vec_fini(&t->blocks);
        vec_fini(&t->buffers);
}

void tries_index(struct tries *t)
{
        t->edge_bits = t->place_bits = 1;
        edges_grow(t);
        places_grow(t);
}

void tries_fini(struct tries *t)
{
        tries_forget(t);
        free(t->edges);
        free(t->places);
}

uint32_t tries_child(struct tries *t, uint32_t node, uint64_t result)
{
        uint32_t child = t->nodes.at[node].child;

        if (child && t->nodes.at[child].result == result)
                return child;
        child = *edge_slot(t, node, result);
        if (child)
                t->nodes.at[node].child = child;
        return child;
}

uint32_t tries_child_make(struct tries *t, uint32_t node, uint64_t result)
{
        uint32_t child = tries_child(t, node, result);

        if (child)
                return child;
        bool store = t->nodes.at[node].flags & NODE_BUFFERED;
        child = node_make(t, (struct node){.parent = node,
                                           .result = result,
                                           .thread = t->nodes.at[node].thread,
                                           .serial = t->nodes.at[node].serial + store,
                                           .last_store = store ? node : t->nodes.at[node].last_store});
        *edge_slot(t, node, result) = child;
        t->nodes.at[node].child = child;
        return child;
}

uint32_t tries_root(struct tries *t, uint32_t thread)
{
        return node_make(t, (struct node){.thread = thread});
}

uint32_t tries_cell(const struct tries *t, enum cell_kind kind, uint64_t key)
{
        return *place_slot(t, kind, key);
}

/* The block that an address lies in. */
static uint32_t block_of(const struct tries *t, uint64_t addr)
{
        for (uint32_t i = 0; i < t->blocks.n; i++) {
                const struct cell *b = &t->cells.at[t->blocks.at[i]];
                if (addr >= b->key && addr - b->key < b->size)
                        return t->blocks.at[i];
        }
        return 0;
}

static uint64_t address_of(const struct cell *c)
{
        return c->kind == CELL_MEMORY ? c->key << 3 : c->kind == CELL_OBJECT ? c->key : 0;
}

uint32_t tries_cell_make(struct tries *t, enum cell_kind kind, uint64_t key, uint64_t init)
{
        uint32_t cell = tries_cell(t, kind, key);
        struct cell made = {.key = key, .init = init, .kind = (uint8_t)kind};

        if (cell)
                return cell;
        if (!vec_reserve(&t->cells, 1))
                memory_out();
        made.block = address_of(&made) ? block_of(t, address_of(&made)) : 0;
        *vec_push(&t->cells) = made;
        places_grow(t);
        *place_slot(t, kind, key) = t->cells.n - 1;
        return t->cells.n - 1;
}

uint32_t tries_thread(struct tries *t, uint32_t thread)
{
        while (t->threads.n <= thread) {
                if (!vec_reserve(&t->threads, 1))
                        memory_out();
                *vec_push(&t->threads) = 0;
        }
        if (!t->threads.at[thread])
                t->threads.at[thread] = tries_cell_make(t, CELL_THREAD, thread, 0);
        return t->threads.at[thread];
}

uint32_t tries_block(struct tries *t, uint64_t addr, uint64_t size)
{
        uint32_t block = tries_cell(t, CELL_BLOCK, addr);

        if (block)
                return block;
        block = tries_cell_make(t, CELL_BLOCK, addr, 0);
        t->cells.at[block].size = size;
        if (!vec_reserve(&t->blocks, 1))
                memory_out();
        *vec_push(&t->blocks) = block;
        t->recount = true;
        for (uint32_t i = 1; i < t->cells.n; i++) {
                uint64_t a = address_of(&t->cells.at[i]);
                if (a && a + 7 >= addr && a < addr + size)
                        t->cells.at[i].block = block;
        }
        return block;
}
