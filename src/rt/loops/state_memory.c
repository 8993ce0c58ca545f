/*
 * See state_memory.h.  It is checked as a whole because libc and others write to it unseen.
 *
 * Little of it changes from one state to the next, or from one execution to the next.  So of each block there is a copy with its
 * hash, and a block is hashed only if it differs from the copy.  The hash of a block is a function of its address and its bytes,
 * whatever was there before.
 */
#include "rt/loops/state_memory.h"

#include <stddef.h>

#include "base/hash.h"
#include "rt/memory/heap.h"
#include "rt/notes.h"
#include "rt/util.h"
#include "rt/world/modules.h"
#include "rt/world/regions.h"

#define MAX_RANGE  65536u
#define MAX_RANGES 32u
#define BLOCK      256u
#define MAX_BLOCKS 1024u

typedef uint64_t part __attribute__((vector_size(32), aligned(8)));

struct range {
        const char *lo, *hi;
};

struct block { /* of the memory, in the order in which it is checked */
        const char *at;
        uint64_t size, hash;
        uint64_t copy[BLOCK / 8];
};

static struct range ranges[MAX_RANGES]; /* data of the program's modules; none if that is too much */
static uint32_t n_ranges;
static uint64_t early_heap; /* what lies in the heap below this was allocated before the program had control */
static struct block blocks[MAX_BLOCKS];

static void add_range(const void *lo, const void *hi, enum region_way way)
{
        if (way == REGION_GUARDED || !rt_is_program((uintptr_t)lo))
                return;
        if (n_ranges < MAX_RANGES)
                ranges[n_ranges] = (struct range){lo, hi};
        n_ranges++;
}

static void note_early(void *arg, struct heap_block *b)
{
        uint64_t end = (uintptr_t)(b + 1) + b->size;

        (void)arg;
        if (b->marks & HEAP_EARLY && end > early_heap)
                early_heap = end;
}

static void note_large(void)
{
        rt_note_incomplete(REASON_CYCLE_DATA, NULL);
}

void state_memory_begin(void)
{
        size_t size = 0;

        n_ranges = 0;
        early_heap = HEAP_BASE;
        snapshot_each_data(add_range);
        heap_each_block(note_early, NULL);
        for (uint32_t i = 0; i < n_ranges && i < MAX_RANGES; i++)
                size += (size_t)(ranges[i].hi - ranges[i].lo);
        if (n_ranges > MAX_RANGES || size > MAX_RANGE) {
                n_ranges = 0;
                note_large();
        }
}

/* In four chains, since each step of one waits for the one before. */
static uint64_t bytes_of(const char *lo, const char *hi)
{
        uint64_t a = (uintptr_t)lo, b = hash_mix(a, 1), c = hash_mix(a, 2), d = hash_mix(a, 3);

        for (; lo + 32 <= hi; lo += 32) {
                const uint64_t *at = (const uint64_t *)(uintptr_t)lo;
                a = hash_mix(a, at[0]);
                b = hash_mix(b, at[1]);
                c = hash_mix(c, at[2]);
                d = hash_mix(d, at[3]);
        }
        for (; lo + 8 <= hi; lo += 8)
                a = hash_mix(a, *(const uint64_t *)(uintptr_t)lo);
        return hash_mix(hash_mix(hash_mix(a, b), c), d);
}

static bool is_copy(const struct block *b, const char *at, uint64_t size)
{
        const part *x = (const part *)(uintptr_t)at, *y = (const part *)(uintptr_t)b->copy;
        const uint64_t *xs = (const uint64_t *)(uintptr_t)at;
        part differs = {0};
        uint64_t i;

        if (b->at != at || b->size != size)
                return false;
        for (i = 0; i < size / sizeof(part); i++)
                differs |= x[i] ^ y[i];
        for (i *= sizeof(part) / 8; i < size / 8; i++)
                differs[0] |= xs[i] ^ b->copy[i];
        return !(differs[0] | differs[1] | differs[2] | differs[3]);
}

/* Of a range; *n: blocks before it. */
static uint64_t range_hash(uint32_t *n, const char *lo, const char *hi)
{
        uint64_t h = 0;

        for (; lo < hi; lo += BLOCK) {
                uint64_t size = (uint64_t)(hi - lo) < BLOCK ? (uint64_t)(hi - lo) : BLOCK;
                struct block *b = *n < MAX_BLOCKS ? &blocks[(*n)++] : NULL;

                if (!b) {
                        h += bytes_of(lo, lo + size);
                        continue;
                }
                if (!is_copy(b, lo, size)) {
                        b->at = lo;
                        b->size = size;
                        b->hash = bytes_of(lo, lo + size);
                        rt_copy(b->copy, lo, size);
                }
                h += b->hash;
        }
        return h;
}

struct sum {
        uint64_t hash, size;
        uint32_t n;
};

static void add_used(void *arg, void *start, size_t size)
{
        const char *lo = start, *hi = lo + size;
        struct sum *sum = arg;

        if ((uintptr_t)lo < early_heap && (uintptr_t)hi >= early_heap)
                lo = (const char *)(uintptr_t)((early_heap + 7) & ~UINT64_C(7));
        sum->size += lo < hi ? (uint64_t)(hi - lo) : 0;
        if (sum->size <= MAX_RANGE)
                sum->hash += range_hash(&sum->n, lo, hi);
}

/* The heap: what is known of it, and all blocks that the program has or had. */
static void add_heap(struct sum *sum)
{
        const char *s = (const char *)heap_state;

        sum->hash += range_hash(&sum->n, s, s + heap_state_size());
        heap_each_used(add_used, sum);
}

uint64_t state_memory_hash(bool *heap)
{
        struct sum sum = {0};
        uint64_t data;

        for (uint32_t i = 0; i < n_ranges; i++)
                sum.hash += range_hash(&sum.n, ranges[i].lo, ranges[i].hi);
        data = sum.hash;
        if (!*heap)
                return data;
        add_heap(&sum);
        *heap = sum.size <= MAX_RANGE;
        if (!*heap)
                note_large();
        return *heap ? hash_mix(sum.hash, sum.size) : data;
}

static uint64_t all; /* while it is computed */

static void add_data(const void *lo, const void *hi, enum region_way way)
{
        if (way != REGION_GUARDED && rt_is_program((uintptr_t)lo))
                all += bytes_of(lo, hi);
}

static void add_block(void *arg, void *start, size_t size)
{
        (void)arg;
        all += bytes_of(start, (const char *)start + size);
}

uint64_t state_memory_all(void)
{
        all = 0;
        snapshot_each_data(add_data);
        heap_each_used(add_block, NULL);
        return all;
}
