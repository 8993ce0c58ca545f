/* Shadow memory: one word per 8 bytes of memory, a mark in the lower 48 bits, object index + 1 above. */
#ifndef HEDDLE_RT_MEMORY_SHADOW_H
#define HEDDLE_RT_MEMORY_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/inline.h"

struct thread;

/* Marks: the owner in bits 0-15, the number of the execution in bits 16-47.  Values that are not an owner: */
#define RT_SHARED     0x8000u /* touched by several threads, logged; in all executions.  Bits 16-31: see invariants.c */
#define RT_NEW_SHARED 0x7ffeu /* found to be shared in this execution, logged from the next one on */
#define RT_SLOW       0x4000u /* with an owner: no touch of the granule is fast (memcheck.c) */
/* With RT_SLOW: a block ends in the granule, and these are the bits (2, 1 and 0) of how many of its bytes belong to it; 0: unknown. */
#define RT_KNOWN   0xb000u
#define RT_HANDLER 0x0800u /* with an owner: a signal handler that runs in the thread */
/* Of states, with an owner: it only used it, or only added to it. */
#define RT_READERS    0x2000u
#define RT_ADDERS     0x1000u
#define RT_SEVERAL    0x0fffu        /* ... and so did others: there is no owner */
#define RT_MARK_NONE  WIRE_MARK_NONE /* matches no mark */
#define RT_MARK_BITS  48
#define RT_MARK(word) ((word) & ((UINT64_C(1) << RT_MARK_BITS) - 1))

#define SHADOW_BITS 20

#pragma GCC visibility push(hidden)

void shadow_init(void);
/* Instrumented code has found no shadow word at this address.  False: nor is there memory that would have one. */
bool shadow_missed(uintptr_t shadow);
/* Where the directory is. */
void shadow_directory(uintptr_t *lo, uintptr_t *hi);
extern uint64_t **shadow_dir;
/* Which terabytes of addresses have their words where instrumented code expects them (wire/inline.h); those of others, and of what
 * is not memory, are in leaves. */
extern bool shadow_flat[128];
uint64_t *shadow_at(uintptr_t addr); /* never NULL */

/* The place of an address in its leaf.  Its word must not have the low bits of the address itself: a load waits for an earlier
 * store that looks like one to the same address. */
static inline size_t shadow_place(uintptr_t addr)
{
        return ((addr ^ 0x800) & ((1u << SHADOW_BITS) - 1)) >> 3;
}

/* An object that is made of an address (WIRE_OBJ_FUTEX) has the word of that address. */
static inline bool shadow_is_flat(uintptr_t addr)
{
        return shadow_flat[addr >> 40 & 127];
}

static inline uint64_t *shadow_flat_at(uintptr_t addr)
{
        return (uint64_t *)(((addr & UINT64_C(0x7ffffffffff8)) ^ WIRE_SHADOW_FLIP) + WIRE_SHADOW_SKEW);
}

static inline uint64_t *shadow_peek(uintptr_t addr)
{
        if (__builtin_expect(shadow_is_flat(addr), 1))
                return shadow_flat_at(addr);
        uint64_t *leaf = shadow_dir[(addr >> SHADOW_BITS) & ((1u << 27) - 1)];
        return leaf ? &leaf[shadow_place(addr)] : NULL;
}

/* Does this range hold memory that several threads touch?  Takes ownership of what no thread has touched in this
 * execution, or only threads whose end this one has waited for. */
bool shadow_touch_any(struct thread *t, uintptr_t addr, size_t size);
static inline bool shadow_touch(struct thread *t, uintptr_t addr, size_t size)
{
        if (__builtin_expect(shadow_is_flat(addr) && size - 1 < 8 && (addr & 7) + size <= 8, 1) &&
            (*shadow_flat_at(addr) & 0xffffu) == RT_SHARED) /* most are so, and then it changes nothing */
                return true;
        return shadow_touch_any(t, addr, size);
}
/* Likewise for a state (effect.h), which threads share only if they use it in modes that conflict. */
bool shadow_use(struct thread *t, uintptr_t addr, uint32_t mode);
/* From now on every touch is checked, by the owner too, until shadow_touch() makes it the toucher's again. */
void shadow_slow(uintptr_t addr, size_t size);
/* A live block ends here, inside a granule that it begins before: its owner's touches of the block are fast all the same. */
void shadow_end(uintptr_t end);
/* How many bytes of a granule with this mark are `mine` without a check: 8, 0, or a number in between. */
static inline uint32_t shadow_known(uint64_t mark, uint64_t mine)
{
        uint64_t differs = mark ^ mine;

        if (!differs)
                return 8;
        return (differs & ~(uint64_t)RT_KNOWN) != RT_SLOW ? 0 : (uint32_t)((differs >> 13 & 4) | (differs >> 12 & 3));
}
/* t owns the whole granules of a new block, but for those known as shared.  Before the snapshot: what it has touched by then
 * is forgotten there. */
void shadow_own(const struct thread *t, uintptr_t addr, size_t size);
void shadow_apply_shared(void);
/* This memory is shared, whichever thread has touched it; if that is new it is logged from the next execution on. */
void shadow_share(uintptr_t addr);
bool shadow_is_shared(uintptr_t addr); /* known, since now or before */
/* Invariants (a bit each) that have ever read this granule. */
uint32_t shadow_watchers(uintptr_t granule);
/* The invariant of this bit reads the granule; false: that was not known. */
bool shadow_watched(uintptr_t granule, uint64_t bit);
/* The mark of memory that t owns in this execution. */
uint64_t shadow_mark(const struct thread *t);
/* Another execution begins: no thread owns anything. */
void shadow_new_execution(void);

#pragma GCC visibility pop

#endif
