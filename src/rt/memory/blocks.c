/*
 * Blocks of the heap for reports, which name them by their type and allocation site.  Invariant: up->blocks holds each
 * block once; a block that was freed and allocated again is another one.  A full table stops recording: reports then
 * show addresses.
 */
#include "rt/memory/blocks.h"

#include "rt/memory/heap.h"
#include "rt/threads.h"
#include "rt/util.h"

#define SLOTS (2u * WIRE_MAX_BLOCKS)

static uint16_t slots[SLOTS]; /* index in up->blocks plus 1, by address and allocation; 0: free */

void blocks_init_run(void)
{
        rt_zero(slots, sizeof slots);
}

void blocks_record(uint64_t addr)
{
        struct wire_up *up = rt.up;
        const struct heap_block *b = heap_has(addr) ? heap_find(addr) : NULL;
        uint64_t start = (uint64_t)(uintptr_t)(b + 1);
        uint32_t i;

        if (!b || !b->n_allocated || addr - start >= b->size)
                return;
        for (i = (uint32_t)((start ^ b->allocated[0]) / HEAP_UNIT) % SLOTS; slots[i]; i = (i + 1) % SLOTS) {
                const struct wire_block *w = &up->blocks[slots[i] - 1];
                if (w->start == start && w->size == b->size && w->actor == b->by && w->allocated[0] == b->allocated[0])
                        return;
        }
        if (up->n_blocks == WIRE_MAX_BLOCKS)
                return;
        up->blocks[up->n_blocks] = (struct wire_block){0};
        rt_describe_block(b, &up->blocks[up->n_blocks++]);
        slots[i] = (uint16_t)up->n_blocks;
}
