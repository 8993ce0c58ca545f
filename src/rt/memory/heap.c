/*
 * The heap of a target: an arena for each thread of the program, at an address of its own.
 *
 *   HEAP_BASE + slot * HEAP_STRIDE
 *   | header block | header block | header block |      |         |
 *   ^ start                                      ^ bump ^ touched ^ mapped      and, HEAP_LIMIT further on, `begins`
 *
 * Addresses are causal: they depend on the thread and on the sequence of its own allocations and frees, and on nothing
 * else.  A block goes back to the free list of its size only when its own thread frees it; freed by another thread it
 * stays unused to the end of the execution, since the order of that free and the owner's next malloc is not an event.  A block
 * that several threads touch is not used again before the arena has grown to HEAP_KEEP, and then the one that was freed
 * first: a use after free is seen until then.  Others are used again at once, the last first: loops come back (spin.c).
 *
 * What a block holds when it is handed out is the same in every execution: zero.  Pages beyond `touched` are fresh and
 * need no clearing; `touched` and `mapped` describe the process, not the execution, and are not restored.  Nor is
 * `begins`, a bit for each unit in which a room begins: below the bump of a snapshot rooms stay, above they are set again.
 * Behind it, for each word of bits, is the unit where the room begins that the first of these units belongs to.
 */
#include "rt/memory/heap.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/memory/bytes.h"
#include "rt/notes.h"
#include "rt/rt.h"
#include "rt/util.h"

#define HEAP_CHUNK     (UINT64_C(1) << 20)
#define HEAP_KEEP      (UINT64_C(256) << 10)
#define HEAP_CLASSES   108u /* 16..128 in steps of 16, then four in each doubling up to the limit */
#define HEAP_BITS_SIZE (HEAP_LIMIT / HEAP_UNIT / 8)
#define HEAP_ROOM_SIZE (HEAP_LIMIT / HEAP_UNIT / 64 * sizeof(uint32_t))

/* Marks of a header, mixed with its address so that a copied header is none. */
#define HEAP_LIVE  0x4b1d5eedu
#define HEAP_FREED 0xdeadb10cu
#define HEAP_OUTER 0x0a119e0du

struct arena {
        uint64_t bump;               /* bytes handed out so far */
        uint32_t free[HEAP_CLASSES]; /* block freed last, its header's offset in units plus 1; 0: none */
        uint32_t kept[HEAP_CLASSES]; /* of those that several threads touch: block freed first */
        uint32_t last[HEAP_CLASSES]; /* ... and last */
};

#define HEAP_RUNTIME (WIRE_MAX_THREADS - 1)

/* The arenas below n_arenas are valid; what is behind belongs to some earlier execution. */
struct heap_state {
        uint64_t n_arenas;
        struct arena arena[WIRE_MAX_THREADS];
};

static struct heap_state state;
static struct arena runtime_arena; /* of slot HEAP_RUNTIME: what libc allocates for the pool; no execution changes it */
static uint64_t mapped[WIRE_MAX_THREADS];
static uint64_t touched[WIRE_MAX_THREADS];

struct heap_state *heap_state = &state;

static unsigned char *arena_start(uint64_t slot)
{
        return (unsigned char *)(uintptr_t)(HEAP_BASE + slot * HEAP_STRIDE);
}

/* Of an arena: where rooms begin. */
static uint64_t *begins_of(uint64_t slot)
{
        return (uint64_t *)(arena_start(slot) + HEAP_LIMIT);
}

/* ... and for each 64 units, in which unit the room of the first one does. */
static uint32_t *rooms_of(uint64_t slot)
{
        return (uint32_t *)(arena_start(slot) + HEAP_LIMIT + HEAP_BITS_SIZE);
}

/* The class of a size, and its room: the largest size of the class. */
static uint32_t class_of(uint64_t size, uint64_t *room)
{
        uint32_t log, step, quarter;

        if (size <= 8 * HEAP_UNIT) {
                uint32_t units = size ? (uint32_t)((size + HEAP_UNIT - 1) / HEAP_UNIT) : 1;

                *room = (uint64_t)units * HEAP_UNIT;
                return units - 1;
        }
        log = 63 - (uint32_t)__builtin_clzll(size - 1); /* 2^log <= size - 1 < 2^(log + 1) */
        step = log - 2;
        quarter = (uint32_t)((size - 1) >> step); /* 4..7 */
        *room = (uint64_t)(quarter + 1) << step;
        return 8 + (log - 7) * 4 + (quarter - 4);
}

/* The arena of a slot that has been used, else NULL. */
static struct arena *arena_find(uint64_t slot)
{
        if (slot == HEAP_RUNTIME)
                return &runtime_arena;
        return slot < state.n_arenas ? &state.arena[slot] : NULL;
}

static struct arena *arena_get(uint32_t slot)
{
        if (slot == HEAP_RUNTIME)
                return &runtime_arena;
        while (state.n_arenas <= slot)
                bytes_fill(&state.arena[state.n_arenas++], 0, sizeof(struct arena));
        return &state.arena[slot];
}

/* Makes the first `end` bytes of an arena usable. */
static bool arena_map(uint32_t slot, uint64_t end)
{
        uint64_t have = mapped[slot], want = have ? have * 2 : HEAP_CHUNK;
        long r;

        if (end > HEAP_LIMIT)
                return false;
        while (want < end)
                want *= 2;
        if (!have &&
            rt_syscall6(SYS_mmap, (long)begins_of(slot), HEAP_BITS_SIZE + HEAP_ROOM_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) < 0)
                return false;
        if (rt.down && rt.down->heap_mb && want > (uint64_t)rt.down->heap_mb << 20 && slot != HEAP_RUNTIME)
                want = (uint64_t)rt.down->heap_mb << 20; /* so that the limit is met where the mapping ends */
        r = rt_syscall6(SYS_mmap, (long)(arena_start(slot) + have), (long)(want - have), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (r != (long)(arena_start(slot) + have))
                return false;
        mapped[slot] = want;
        return true;
}

/* Is that more than a thread of the program may have?  A program that keeps asking must not take the machine's memory.
 * What it would do with more is not explored, and that is noted. */
static bool over_limit(uint32_t slot, uint64_t end)
{
        if (slot == HEAP_RUNTIME || !rt.down || !rt.down->heap_mb || end <= (uint64_t)rt.down->heap_mb << 20)
                return false;
        rt_note_incomplete(REASON_HEAP, NULL);
        return true;
}

/* One room begins at this unit, and none in the next ones. */
static void set_begin(uint64_t slot, uint64_t unit, uint64_t n)
{
        uint64_t *bits = begins_of(slot), i = unit + 1, end = unit + n;

        for (; i < end && i % 64; i++)
                bits[i / 64] &= ~(UINT64_C(1) << i % 64);
        for (; i + 64 <= end; i += 64)
                bits[i / 64] = 0;
        for (; i < end; i++)
                bits[i / 64] &= ~(UINT64_C(1) << i % 64);
        bits[unit / 64] |= UINT64_C(1) << unit % 64;
        for (i = (unit + 63) / 64; i * 64 < end; i++)
                rooms_of(slot)[i] = (uint32_t)unit;
}

/* A block from the end of the arena, cleared. */
static struct heap_block *take_fresh(uint32_t slot, struct arena *a, uint64_t room)
{
        uint64_t start = a->bump, end = start + sizeof(struct heap_block) + room;
        unsigned char *base = arena_start(slot);

        if (end > mapped[slot] && (over_limit(slot, end) || !arena_map(slot, end)))
                return NULL;
        a->bump = end;
        if (start < touched[slot])
                bytes_fill(base + start, 0, (end < touched[slot] ? end : touched[slot]) - start);
        if (touched[slot] < end)
                touched[slot] = end;
        set_begin(slot, start / HEAP_UNIT, (end - start) / HEAP_UNIT);
        return (struct heap_block *)(base + start);
}

static struct heap_block *block_at(uint64_t slot, uint32_t unit)
{
        return (struct heap_block *)(arena_start(slot) + (uint64_t)(unit - 1) * HEAP_UNIT);
}

/* The first block of a list, cleared, or NULL. */
static struct heap_block *take_freed(uint32_t slot, uint32_t *list, uint64_t room)
{
        struct heap_block *h;

        if (!*list)
                return NULL;
        h = block_at(slot, *list);
        *list = (uint32_t)h->next;
        bytes_fill(h, 0, sizeof *h + room);
        return h;
}

static struct heap_block *take(uint32_t slot, struct arena *a, uint64_t size)
{
        uint64_t room;
        uint32_t class = class_of(size, &room);
        struct heap_block *h = take_freed(slot, &a->free[class], room);

        if (!h && a->bump + room >= HEAP_KEEP)
                h = take_freed(slot, &a->kept[class], room);
        return h ? h : take_fresh(slot, a, room);
}

static void header_set(struct heap_block *h, uint32_t mark, uint32_t back, uint64_t size)
{
        h->mark = mark ^ (uint32_t)((uintptr_t)h >> 4);
        h->back = back;
        h->size = size;
}

static bool header_is(const struct heap_block *h, uint32_t mark)
{
        return h->mark == (mark ^ (uint32_t)((uintptr_t)h >> 4));
}

bool heap_block_live(const struct heap_block *b)
{
        return header_is(b, HEAP_LIVE);
}

bool heap_block_freed(const struct heap_block *b)
{
        return header_is(b, HEAP_FREED);
}

/* The header at the start of a block's room. */
static struct heap_block *outer_of(const struct heap_block *h)
{
        return (struct heap_block *)((uintptr_t)h - (uintptr_t)h->back * HEAP_UNIT);
}

struct heap_block *heap_take(uint32_t slot, uint64_t align, uint64_t size)
{
        uint64_t extra = align > HEAP_UNIT ? align + sizeof(struct heap_block) : 0;
        struct heap_block *h = NULL, *inner;
        uint32_t units;
        uintptr_t p;

        if (align <= HEAP_LIMIT && size <= HEAP_LIMIT - sizeof *h - extra)
                h = take(slot, arena_get(slot), size + extra);
        if (!h || !extra) {
                if (h)
                        header_set(h, HEAP_LIVE, 0, size);
                return h;
        }
        p = (uintptr_t)(h + 2); /* there is room for a second header before the first aligned address behind it */
        inner = (struct heap_block *)((p + align - 1) & ~(uintptr_t)(align - 1)) - 1;
        units = (uint32_t)(((uintptr_t)inner - (uintptr_t)h) / HEAP_UNIT);
        header_set(h, HEAP_OUTER, units, size + extra);
        header_set(inner, HEAP_LIVE, units, size);
        return inner;
}

/* The size of the block and its threads stay in its header, for messages about later accesses to it. */
void heap_give(struct heap_block *h, uint32_t self, bool shared)
{
        struct heap_block *first = outer_of(h);
        uint64_t off = (uintptr_t)first - HEAP_BASE, slot = off / HEAP_STRIDE, room;
        uint32_t class, unit = (uint32_t)(off % HEAP_STRIDE / HEAP_UNIT) + 1;
        struct arena *a = arena_find(slot);

        header_set(h, HEAP_FREED, h->back, h->size);
        if (slot != self)
                return;
        class = class_of(first->size, &room);
        if (!shared) {
                first->next = a->free[class];
                a->free[class] = unit;
                return;
        }
        first->next = 0;
        if (a->kept[class])
                block_at(slot, a->last[class])->next = unit;
        else
                a->kept[class] = unit;
        a->last[class] = unit;
}

uint64_t heap_extent(void)
{
        return state.n_arenas * HEAP_STRIDE;
}

struct heap_block *heap_find(uintptr_t addr)
{
        uint64_t off = (uint64_t)addr - HEAP_BASE, slot = off / HEAP_STRIDE, word, unit;
        const struct arena *a = slot < WIRE_MAX_THREADS ? arena_find(slot) : NULL;
        const uint64_t *bits;
        struct heap_block *h;

        off %= HEAP_STRIDE;
        if (!a || off >= a->bump)
                return NULL;
        unit = off / HEAP_UNIT;
        bits = begins_of(slot);
        word = bits[unit / 64] << (63 - unit % 64) >> (63 - unit % 64);
        unit = word ? unit / 64 * 64 + (63 - (uint64_t)__builtin_clzll(word)) : rooms_of(slot)[unit / 64];
        h = (struct heap_block *)(arena_start(slot) + unit * HEAP_UNIT);
        if (header_is(h, HEAP_OUTER))
                h = (struct heap_block *)((uintptr_t)h + (uintptr_t)h->back * HEAP_UNIT);
        return header_is(h, HEAP_LIVE) || header_is(h, HEAP_FREED) ? h : NULL;
}

void heap_each_block(void (*f)(void *arg, struct heap_block *b), void *arg)
{
        for (uint64_t i = 0; i < state.n_arenas; i++)
                for (uint64_t unit = 0; unit < state.arena[i].bump / HEAP_UNIT; unit++) {
                        uint64_t rest = begins_of(i)[unit / 64] >> unit % 64;
                        struct heap_block *h;

                        unit += rest ? (uint64_t)__builtin_ctzll(rest) : 63 - unit % 64;
                        if (!rest || unit >= state.arena[i].bump / HEAP_UNIT)
                                continue;
                        h = heap_find((uintptr_t)arena_start(i) + unit * HEAP_UNIT);
                        if (!h) /* its header was overwritten */
                                continue;
                        f(arg, h);
                        if (!h->back && h->size < state.arena[i].bump - unit * HEAP_UNIT)
                                unit += h->size / HEAP_UNIT; /* nothing begins inside it */
                }
}

struct heap_block *heap_header_of(const void *p)
{
        uint64_t off = (uintptr_t)p - HEAP_BASE, slot = off / HEAP_STRIDE;
        struct heap_block *h = (struct heap_block *)(uintptr_t)p - 1;

        off %= HEAP_STRIDE;
        if (!arena_find(slot) || off % HEAP_UNIT || off < sizeof(*h) || off >= arena_find(slot)->bump)
                return NULL;
        return header_is(h, HEAP_LIVE) || header_is(h, HEAP_FREED) ? h : NULL;
}

bool heap_fits(const struct heap_block *h, uint64_t size)
{
        uint64_t room;

        class_of(outer_of(h)->size, &room);
        room -= (uint64_t)h->back * HEAP_UNIT;
        return size <= room && size >= room / 4;
}

size_t heap_block_size(const void *p)
{
        const struct heap_block *h = heap_header_of(p);

        return h && header_is(h, HEAP_LIVE) ? h->size : 0;
}

size_t heap_state_size(void)
{
        return offsetof(struct heap_state, arena) + state.n_arenas * sizeof(struct arena);
}

void heap_each_used(void (*f)(void *arg, void *start, size_t size), void *arg)
{
        for (uint64_t i = 0; i < state.n_arenas; i++)
                if (state.arena[i].bump)
                        f(arg, arena_start(i), state.arena[i].bump);
}

void rt_describe_block(const struct heap_block *b, struct wire_block *w)
{
        w->start = (uint64_t)(uintptr_t)(b + 1);
        w->size = b->size;
        w->actor = b->by;
        w->n_allocated = b->n_allocated;
        rt_copy(w->allocated, b->allocated, sizeof w->allocated);
        if (!heap_block_freed(b))
                return;
        w->freed_by = b->freed_by;
        w->n_freed = b->n_freed;
        rt_copy(w->freed, b->freed, sizeof w->freed);
}
