/*
 * Blocks of the heap, as they are seen by checks of accesses, leaks, wrong frees.
 */
#ifndef HEDDLE_RT_MEMORY_HEAP_H
#define HEDDLE_RT_MEMORY_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

#pragma GCC visibility push(hidden)

#define HEAP_BASE   UINT64_C(0x100000000000) /* where the first arena begins */
#define HEAP_UNIT   16u
#define HEAP_STRIDE (UINT64_C(8) << 30) /* from one arena to the next */
#define HEAP_LIMIT  (UINT64_C(4) << 30) /* of one arena: offsets in units of 16 bytes fit 32 bits */

enum heap_how { HEAP_MALLOC, HEAP_NEW, HEAP_NEW_ARRAY }; /* what a block is given back by: free, delete, delete[] */

/* Lies before each block, and keeps blocks apart: an access to it is out of bounds.  An aligned block has two: the outer
 * one at the start of its room, the inner one before the address that was handed out. */
struct heap_block {
        uint64_t freed[WIRE_BLOCK_STACK], allocated[WIRE_BLOCK_STACK]; /* call sites, innermost first */
        uint32_t mark;         /* from here on beside the block, in its cache line */
        uint32_t back;         /* inner: units from the outer one; outer: units to the inner one; else 0 */
        uint64_t size;         /* as asked for; outer: with the space for the alignment */
        uint16_t by, freed_by; /* threads */
        uint8_t how;           /* enum heap_how */
        uint8_t n_allocated, n_freed;
        uint8_t marks; /* HEAP_EARLY, and those of leak.c */
        uint64_t
                next; /* on a free list: the next, its header's offset in units plus 1; on one of leak.c: its address */
};

#define HEAP_EARLY 0x80u /* allocated before the program had control */

_Static_assert(sizeof(struct heap_block) % HEAP_UNIT == 0, "a block is aligned because its header is");

/* All state of the heap that changes is in one block, saved and restored with the snapshot. */
struct heap_state;
extern struct heap_state *heap_state;
size_t heap_state_size(void);
/* Calls f for every stretch of heap memory in use now (blocks handed out so far, headers included). */
void heap_each_used(void (*f)(void *arg, void *start, size_t size), void *arg);
/* Size of the block at p, or 0 if there is none. */
size_t heap_block_size(const void *p);

bool heap_block_live(const struct heap_block *b);
bool heap_block_freed(const struct heap_block *b);

/* Is this an address of some arena of the program? */
static inline bool heap_has(uintptr_t addr)
{
        uint64_t off = (uint64_t)addr - HEAP_BASE;

        return off < WIRE_MAX_THREADS * HEAP_STRIDE && off % HEAP_STRIDE < HEAP_LIMIT;
}
/* How far the arenas of the program's threads reach. */
uint64_t heap_extent(void);
/* The block in whose room, header included, an address lies; NULL: in none. */
struct heap_block *heap_find(uintptr_t addr);
/* Calls f for every block of the program's threads, freed ones included. */
void heap_each_block(void (*f)(void *arg, struct heap_block *b), void *arg);

/* For allocate.c.  A block from the arena of a slot, cleared, with its header; NULL: there is no room. */
struct heap_block *heap_take(uint32_t slot, uint64_t align, uint64_t size);
/* Marks the block as freed.  If thread `self` owns its arena it is used again, later if it is shared. */
void heap_give(struct heap_block *h, uint32_t self, bool shared);
/* The header of what may be a block, live or freed; NULL if it is none. */
struct heap_block *heap_header_of(const void *p);
/* Can a live block have this size and stay where it is, with no more waste than a new one of a few times its size? */
bool heap_fits(const struct heap_block *h, uint64_t size);

/* A block in the form of the wire. */
void rt_describe_block(const struct heap_block *b, struct wire_block *w);

/* Can it be read at all, if only to be shown? */
static inline bool memory_is_there(uintptr_t addr)
{
        return !heap_has(addr) || heap_find(addr);
}

#pragma GCC visibility pop

#endif
