/*
 * The heap of a target: an arena for each thread of the program, at an address of its own.
 *
 *   HEAP_BASE + slot * HEAP_STRIDE
 *   | header block | header block | header block |      |         |
 *   ^ start                                      ^ bump ^ touched ^ mapped
 *
 * Addresses are causal: they depend on the thread and on the sequence of its own allocations and frees, and on nothing
 * else.  A block goes back to the free list of its size only when its own thread frees it; freed by another thread it
 * stays unused to the end of the execution, since the order of that free and the owner's next malloc is no event.
 *
 * What a block holds when it is handed out is the same in every execution: zero.  Pages beyond `touched` are fresh and
 * need no clearing; `touched` and `mapped` describe the process, not the execution, and are not restored.
 *
 * A process that heddle did not start gets libc's heap.  Which of the two is decided at the first call and for good,
 * because the loader allocates before any constructor runs.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/bytes.h"
#include "rt/core.h"

#define HEAP_BASE UINT64_C(0x100000000000)
#define HEAP_STRIDE (UINT64_C(8) << 30)
#define HEAP_LIMIT (UINT64_C(4) << 30) /* of one arena: offsets in units of 16 bytes fit 32 bits */
#define HEAP_CHUNK (UINT64_C(1) << 20)
#define HEAP_UNIT 16u
#define HEAP_PAGE 4096u
#define HEAP_CLASSES 108u /* 16..128 in steps of 16, then four in each doubling up to the limit */

/* Marks of a header, mixed with its address so that a copied header is none. */
#define HEAP_LIVE 0x4b1d5eedu
#define HEAP_FREED 0xdeadb10cu
#define HEAP_OUTER 0x0a119e0du

/* Stands before each block.  An aligned block has two: the outer one at the start of its room, the inner one before
 * the address that was handed out. */
struct header {
        uint32_t mark;
        uint32_t back; /* inner: units from the outer one; on a free list: the next, as in struct arena; else 0 */
        uint64_t size; /* as asked for; outer: with the space for the alignment */
};

struct arena {
        uint64_t bump;               /* bytes handed out so far */
        uint32_t free[HEAP_CLASSES]; /* last freed block, its header's offset in units plus 1; 0: none */
};

#define HEAP_RUNTIME (WIRE_MAX_THREADS - 1)

/* The arenas below n_arenas are valid; what stands behind belongs to some earlier execution. */
struct heap_state {
        uint64_t n_arenas;
        struct arena arena[WIRE_MAX_THREADS];
};

_Static_assert(sizeof(struct header) == HEAP_UNIT, "a block is aligned because its header is");

static struct heap_state state;
static struct arena runtime_arena; /* of slot HEAP_RUNTIME: what libc allocates for the pool; no execution changes it */
static uint64_t mapped[WIRE_MAX_THREADS];
static uint64_t touched[WIRE_MAX_THREADS];

struct heap_state *heap_state = &state;

extern void *__libc_stack_end;
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *p);

RT_EXPORT void cfree(void *p);

/* libc knows no environment yet when the loader allocates first; the loader knows where the kernel put it. */
static bool find_wire_env(void)
{
        char **p = (char **)__libc_stack_end + 1;
        const char *name = WIRE_ENV "=";

        while (*p) /* argv */
                p++;
        for (p++; *p; p++) {
                size_t i = 0;

                while (name[i] && (*p)[i] == name[i])
                        i++;
                if (!name[i])
                        return true;
        }
        return false;
}

bool heap_is_target(void)
{
        static int known; /* 0: not asked yet, 1: no, 2: yes */

        if (RT_UNLIKELY(!known))
                known = find_wire_env() ? 2 : 1;
        return known == 2;
}

static unsigned char *arena_start(uint64_t slot)
{
        return (unsigned char *)(uintptr_t)(HEAP_BASE + slot * HEAP_STRIDE);
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
        if (rt.down && rt.down->heap_mb && want > (uint64_t)rt.down->heap_mb << 20 && slot != HEAP_RUNTIME)
                want = (uint64_t)rt.down->heap_mb << 20; /* so that the limit is met where the mapping ends */
        r = rt_syscall6(SYS_mmap, (long)(arena_start(slot) + have), (long)(want - have), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (r != (long)(arena_start(slot) + have))
                return false;
        mapped[slot] = want;
        return true;
}

/* Is that more than a thread of the program may have?  A program that goes on asking must not take the machine's memory.
 * What it would do with more is not explored, and that is noted. */
static bool over_limit(uint32_t slot, uint64_t end)
{
        if (slot == HEAP_RUNTIME || !rt.down || !rt.down->heap_mb || end <= (uint64_t)rt.down->heap_mb << 20)
                return false;
        rt_note_incomplete("malloc failed because a thread had as much memory in use as --heap allows");
        return true;
}

/* A block from the end of the arena, cleared. */
static struct header *take_fresh(uint32_t slot, struct arena *a, uint64_t room)
{
        uint64_t start = a->bump, end = start + sizeof(struct header) + room;
        unsigned char *base = arena_start(slot);

        if (end > mapped[slot] && (over_limit(slot, end) || !arena_map(slot, end)))
                return NULL;
        a->bump = end;
        if (start < touched[slot])
                bytes_fill(base + start, 0, (end < touched[slot] ? end : touched[slot]) - start);
        if (touched[slot] < end)
                touched[slot] = end;
        return (struct header *)(base + start);
}

/* The block that was freed last in this class, cleared, or NULL. */
static struct header *take_freed(uint32_t slot, struct arena *a, uint32_t class, uint64_t room)
{
        struct header *h;

        if (!a->free[class])
                return NULL;
        h = (struct header *)(arena_start(slot) + (uint64_t)(a->free[class] - 1) * HEAP_UNIT);
        a->free[class] = h->back;
        bytes_fill(h + 1, 0, room);
        return h;
}

static void header_set(struct header *h, uint32_t mark, uint32_t back, uint64_t size)
{
        h->mark = mark ^ (uint32_t)((uintptr_t)h >> 4);
        h->back = back;
        h->size = size;
}

static bool header_is(const struct header *h, uint32_t mark)
{
        return h->mark == (mark ^ (uint32_t)((uintptr_t)h >> 4));
}

static void *heap_alloc(uint64_t size)
{
        uint32_t slot = rt_on() ? rt_self() : 0, class;
        struct arena *a = arena_get(slot);
        struct header *h;
        uint64_t room;

        if (size > HEAP_LIMIT - sizeof(*h)) {
                errno = ENOMEM;
                return NULL;
        }
        class = class_of(size, &room);
        h = take_freed(slot, a, class, room);
        if (!h)
                h = take_fresh(slot, a, room);
        if (!h) {
                errno = ENOMEM;
                return NULL;
        }
        header_set(h, HEAP_LIVE, 0, size);
        return h + 1;
}

/* align is a power of two. */
static void *heap_alloc_aligned(uint64_t align, uint64_t size)
{
        struct header *outer, *inner;
        uintptr_t p;

        if (align <= HEAP_UNIT)
                return heap_alloc(size);
        if (align > HEAP_LIMIT || size > HEAP_LIMIT) {
                errno = ENOMEM;
                return NULL;
        }
        p = (uintptr_t)heap_alloc(size + align);
        if (!p)
                return NULL;
        outer = (struct header *)p - 1;
        inner = (struct header *)((p | (align - 1)) + 1) - 1; /* never the outer one: p is not the answer */
        header_set(outer, HEAP_OUTER, 0, size + align);
        header_set(inner, HEAP_LIVE, (uint32_t)(inner - outer), size);
        return inner + 1;
}

/* The header of what may be a block, live or freed; NULL if it is none. */
static struct header *header_of(const void *p)
{
        uint64_t off = (uintptr_t)p - HEAP_BASE, slot = off / HEAP_STRIDE;
        struct header *h = (struct header *)(uintptr_t)p - 1;

        off %= HEAP_STRIDE;
        if (!arena_find(slot) || off % HEAP_UNIT || off < sizeof(*h) || off >= arena_find(slot)->bump)
                return NULL;
        return header_is(h, HEAP_LIVE) || header_is(h, HEAP_FREED) ? h : NULL;
}

/* Can a live block have this size and stay where it is, with no more waste than a new one of a few times its size? */
static bool fits(const struct header *h, uint64_t size)
{
        uint64_t room;

        class_of((h - h->back)->size, &room);
        room -= (uint64_t)h->back * HEAP_UNIT;
        return size <= room && size >= room / 4;
}

size_t heap_block_size(const void *p)
{
        const struct header *h = header_of(p);

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

static _Noreturn void fail_double_free(const void *p, uintptr_t site)
{
        char text[80];

        rt_format(text, sizeof(text), "double free of %p", (uint64_t)(uintptr_t)p);
        rt_fail(WIRE_FAIL_ABORT, site, text);
}

/* Lets the scheduler say when a block is given back or resized, and stops a thread that does it to what is none.
 * NULL: nothing may be done.  The order of two frees is an event like any other, so the block is judged after it.
 * libc also frees what the loader allocated before there was a heap. */
static struct header *claim(void *p, uint32_t op, uintptr_t site)
{
        struct header *h = header_of(p);
        bool in_libc;

        if (!rt_on())
                return h && header_is(h, HEAP_LIVE) ? h : NULL;
        in_libc = rt_site_in_libc(site);
        if (h && !in_libc) {
                access_range(op, p, h->size ? h->size : 1, site);
                h = header_of(p);
        }
        if (h && header_is(h, HEAP_FREED))
                fail_double_free(p, site);
        if (!h && !in_libc)
                rt_fail(WIRE_FAIL_ABORT, site, "free of an address that malloc did not return");
        return h;
}

/* The size of the block stays readable in its header, for the message about a second free. */
static void give_back(struct header *h)
{
        struct header *first = h - h->back;
        uint64_t off = (uintptr_t)first - HEAP_BASE, slot = off / HEAP_STRIDE, room;
        uint32_t class;

        header_set(h, HEAP_FREED, h->back, h->size);
        if (slot != (rt_on() ? rt_self() : 0))
                return;
        class = class_of(first->size, &room);
        first->back = arena_find(slot)->free[class];
        arena_find(slot)->free[class] = (uint32_t)(off % HEAP_STRIDE / HEAP_UNIT) + 1;
}

static void heap_free(void *p, uintptr_t site)
{
        struct header *h = p ? claim(p, OP_FREE, site) : NULL;

        if (h)
                give_back(h);
}

/* A block that moves is freed; one that stays counts as written, since its old address must not be used either. */
static void *heap_realloc(void *p, size_t size, uintptr_t site)
{
        struct header *h = header_of(p);
        bool stays = h && header_is(h, HEAP_LIVE) && fits(h, size);
        void *q;

        if (!p)
                return heap_alloc(size);
        if (!size) {
                heap_free(p, site);
                return NULL;
        }
        h = claim(p, stays ? OP_WRITE : OP_FREE, site);
        if (!h)
                return NULL;
        if (fits(h, size)) {
                h->size = size;
                return p;
        }
        q = heap_alloc(size);
        if (!q)
                return NULL;
        bytes_copy(q, p, h->size < size ? h->size : size);
        give_back(h);
        return q;
}

static size_t round_up_power(size_t align)
{
        size_t a = HEAP_UNIT;

        while (a < align && a <= HEAP_LIMIT)
                a *= 2;
        return a;
}

RT_EXPORT void *malloc(size_t size)
{
        return heap_is_target() ? heap_alloc(size) : __libc_malloc(size);
}

RT_EXPORT void *calloc(size_t n, size_t size)
{
        size_t bytes;

        if (!heap_is_target())
                return __libc_calloc(n, size);
        if (__builtin_mul_overflow(n, size, &bytes))
                bytes = SIZE_MAX;
        return heap_alloc(bytes);
}

RT_EXPORT void *realloc(void *p, size_t size)
{
        return heap_is_target() ? heap_realloc(p, size, RT_SITE()) : __libc_realloc(p, size);
}

RT_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
        size_t bytes;

        if (__builtin_mul_overflow(n, size, &bytes)) {
                errno = ENOMEM;
                return NULL;
        }
        return heap_is_target() ? heap_realloc(p, bytes, RT_SITE()) : __libc_realloc(p, bytes);
}

RT_EXPORT void free(void *p)
{
        if (heap_is_target())
                heap_free(p, RT_SITE());
        else
                __libc_free(p);
}

RT_EXPORT void cfree(void *p)
{
        if (heap_is_target())
                heap_free(p, RT_SITE());
        else
                __libc_free(p);
}

RT_EXPORT void *memalign(size_t align, size_t size)
{
        return heap_is_target() ? heap_alloc_aligned(round_up_power(align), size) : __libc_memalign(align, size);
}

RT_EXPORT void *aligned_alloc(size_t align, size_t size)
{
        return memalign(align, size);
}

RT_EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
        int saved = errno;
        void *p;

        if (align % sizeof(void *) || !align || (align & (align - 1)))
                return EINVAL;
        p = memalign(align, size);
        errno = saved;
        if (!p)
                return ENOMEM;
        *out = p;
        return 0;
}

RT_EXPORT void *valloc(size_t size)
{
        return memalign(HEAP_PAGE, size);
}

RT_EXPORT void *pvalloc(size_t size)
{
        size_t rounded = (size + HEAP_PAGE - 1) & ~(size_t)(HEAP_PAGE - 1);

        return memalign(HEAP_PAGE, rounded < size ? SIZE_MAX / 2 : rounded);
}

/* Only what was asked for: a program that counts on more is wrong on some other heap. */
RT_EXPORT size_t malloc_usable_size(void *p)
{
        static size_t (*real)(void *);

        if (heap_is_target())
                return heap_block_size(p);
        if (!real)
                real = (size_t(*)(void *))rt_real("malloc_usable_size");
        return real(p);
}
