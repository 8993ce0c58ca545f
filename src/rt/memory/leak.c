/*
 * Leaks: live blocks that nothing points to at the end of an execution.
 *
 * As LeakSanitizer does it: every aligned word of the roots, and of what they lead to, that is an address inside a block
 * counts as a pointer to it, whatever the program takes it for.  So a reported block is lost, and something that is lost may
 * be missed.  An address right behind a block counts too, and so does one with other bits in its upper 16, where programs
 * keep counters.
 *
 * Roots are the data of all modules, what the program has mapped, the local memory of threads that have not ended, the
 * frames that were there when exit was called, what ended threads leave to the threads that join them, and the stacks of
 * threads that wait.  These hold stale words too: blocks that only they lead to are neither lost nor certainly in use
 * (`doubtful`).  Local memory of ended threads leads to what libc keeps in it, and would have freed.
 *
 * The heap is put back after an execution, so marks and links can be in the blocks.  Most of the data never changes
 * (the libraries'): of that only the words are checked that held an address of the heap once.
 *
 * Not covered: what is in the kernel (a pointer in a pipe), pointers that are not aligned or coded otherwise.
 */
#include "rt/memory/leak.h"

#include "rt/memory/area.h"
#include "rt/memory/heap.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"
#include "rt/world/modules.h"
#include "rt/world/regions.h"

#define KNOWN_MAX 4096u
#define ADDRESS   ((UINT64_C(1) << 48) - 1)
#define RED_ZONE  128 /* below the stack pointer: locals of leaf functions */

/* Marks of a block, in addition to HEAP_EARLY. */
#define REACHED  1u
#define DOUBTFUL 2u /* ... from a stack that waits, and from nowhere else */
#define POINTED  4u /* lost, and another lost block points to it */
#define CLAIMED  8u /* lost, and belongs to a block that is reported */

extern void *__libc_stack_end;

static struct heap_block *list; /* blocks whose contents have not been checked */
static uint64_t heap_size;
static uint64_t n_left;                  /* live blocks that have not been reached */
static uint8_t mark;                     /* what reached blocks get */
static bool only_libc;                   /* only blocks that libc allocated count */
static const uint64_t *known[KNOWN_MAX]; /* words in data that stays the same, with an address of the heap */
static uint32_t n_known;
static bool known_all, learning;

/* May this be an address of the heap?  Asked for every word there is. */
static bool in_heap(uint64_t word)
{
        return (word & ADDRESS) - HEAP_BASE < heap_size;
}

/* The live block that a word points into, or NULL. */
static struct heap_block *pointed(uint64_t word)
{
        uintptr_t v = word & ADDRESS;
        struct heap_block *b = in_heap(v) ? heap_find(v) : NULL;

        if (in_heap(v) && (!b || v < (uintptr_t)(b + 1))) /* no block, or a header: right behind the block before it? */
                b = heap_find(v - 1);
        if (!b || !heap_block_live(b) || v < (uintptr_t)(b + 1) || v > (uintptr_t)(b + 1) + b->size)
                return NULL;
        return b;
}

static void reach(uint64_t word)
{
        struct heap_block *b = pointed(word);

        if (!b || (b->marks & REACHED) || (only_libc && !rt_site_in_libc((uintptr_t)b->allocated[0])))
                return;
        n_left -= !(b->marks & HEAP_EARLY);
        b->marks |= REACHED | mark;
        b->next = (uintptr_t)list;
        list = b;
}

static void scan(const void *lo, const void *hi)
{
        const uint64_t *end = (const uint64_t *)((uintptr_t)hi & ~(uintptr_t)7);

        for (const uint64_t *p = (const uint64_t *)(((uintptr_t)lo + 7) & ~(uintptr_t)7); p < end; p++) {
                if (RT_LIKELY(!in_heap(*p)))
                        continue;
                if (learning && n_known < KNOWN_MAX)
                        known[n_known++] = p;
                reach(*p);
        }
}

/* All that follows from what has been reached. */
static void flood(void)
{
        while (list && n_left) {
                struct heap_block *b = list;

                list = (struct heap_block *)(uintptr_t)b->next;
                scan(b + 1, (char *)(b + 1) + b->size);
        }
        if (!n_left)
                list = NULL;
}

/* Roots, and what follows from them; nothing once all has been reached. */
static void scan_root(const void *lo, const void *hi)
{
        if (!n_left)
                return;
        scan(lo, hi);
        flood();
}

static void scan_changing(const void *lo, const void *hi, enum region_way way)
{
        if (way == REGION_COPIED)
                scan_root(lo, hi);
}

/* The words that held an address of the heap when the snapshot was taken: they do wherever their page is not written to. */
static void learn(const void *lo, const void *hi)
{
        const uint64_t *was = snapshot_copy(lo);
        size_t n = (size_t)((const char *)hi - (const char *)lo) / 8;

        for (size_t i = 0; i < n && n_known < KNOWN_MAX; i++)
                if (in_heap(was[i]))
                        known[n_known++] = (const uint64_t *)lo + i;
}

static void scan_same(const void *lo, const void *hi, enum region_way way)
{
        if (way == REGION_COPIED)
                return;
        if (way == REGION_BACKED)
                learn(lo, hi);
        learning = way == REGION_GUARDED;
        scan(lo, hi);
        learning = false;
}

/* What was not written to is as it was, and so are the places of its pointers. */
static void scan_data(void)
{
        if (!known_all) {
                snapshot_each_data(scan_same);
                known_all = n_known < KNOWN_MAX;
        }
        for (uint32_t i = 0; i < n_known; i++)
                reach(*known[i]);
        flood();
        snapshot_each_data(scan_changing);
        if (n_left)
                snapshot_each_page(scan_root);
}

/* The end of what a thread's stack holds of the program; main's arguments and environment are on its stack. */
static uintptr_t stack_end(uint32_t id)
{
        uintptr_t lo, hi = 0;
        void **p = (void **)__libc_stack_end + 1;

        if (id) {
                pool_stack_of(id, &lo, &hi);
                return hi;
        }
        while (*p++)
                ;
        while (*p++)
                ;
        return (uintptr_t)p;
}

static bool has_ended(const struct thread *t)
{
        return t->state == WIRE_T_DONE || t->state == WIRE_T_UNUSED || thread_is_buffer(t);
}

static void scan_threads(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                const struct thread *t = &threads[i];

                if (t->state == WIRE_T_DONE && !t->handle.joined && !t->handle.detached)
                        reach((uintptr_t)t->body.retval);
                if (has_ended(t))
                        continue;
                pool_each_local(i, scan);
                reach((uintptr_t)t->body.dtors);
                if (t->state == WIRE_T_EXITED && t->fiber.exit_sp)
                        scan((void *)t->fiber.exit_sp, (void *)stack_end(i));
        }
}

static void scan_waiting(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                const struct thread *t = &threads[i];
                uintptr_t end, frames;

                if (has_ended(t) || t->state == WIRE_T_EXITED)
                        continue;
                frames = thread_frames(t, &end);
                scan(t->fiber.sp, (void *)end); /* registers of the program are saved there */
                scan((void *)(frames - RED_ZONE), (void *)stack_end(i));
                reach((uintptr_t)t->body.arg);
        }
}

static void scan_ended(void)
{
        only_libc = true;
        for (uint32_t i = 1; i < ex.n_threads; i++)
                if (threads[i].state == WIRE_T_DONE)
                        pool_each_local(i, scan);
        only_libc = false;
}

/* What was lost. */

static bool is_lost(const struct heap_block *b)
{
        return heap_block_live(b) && !(b->marks & (REACHED | HEAP_EARLY));
}

static void begin(void *arg, struct heap_block *b)
{
        (void)arg;
        b->marks &= HEAP_EARLY;
        n_left += heap_block_live(b) && !(b->marks & HEAP_EARLY);
}

/* Calls f for each lost block that a lost block points to. */
static void each_pointed(struct heap_block *from, void (*f)(struct heap_block *b))
{
        const uint64_t *p = (const uint64_t *)(from + 1);

        for (uint64_t i = 0; i < from->size / 8; i++) {
                struct heap_block *b = in_heap(p[i]) ? pointed(p[i]) : NULL;
                if (b && b != from && is_lost(b))
                        f(b);
        }
}

static void set_pointed(struct heap_block *b)
{
        b->marks |= POINTED;
}

static void point(void *arg, struct heap_block *b)
{
        (void)arg;
        if (is_lost(b))
                each_pointed(b, set_pointed);
}

static void claim(struct heap_block *b)
{
        if (b->marks & CLAIMED)
                return;
        b->marks |= CLAIMED;
        b->next = (uintptr_t)list;
        list = b;
}

/* The entry of the blocks that were allocated in the same way as b; NULL: there is no room. */
static struct wire_leak *entry_of(const struct heap_block *b)
{
        struct wire_up *up = rt.up;
        struct wire_leak *l;
        uint32_t i;

        for (i = 0; i < up->n_leaks; i++) {
                const struct wire_block *k = &up->leaks[i].block;
                uint32_t n = 0;

                while (n < k->n_allocated && n < b->n_allocated && k->allocated[n] == b->allocated[n])
                        n++;
                if (n == k->n_allocated && n == b->n_allocated)
                        return &up->leaks[i];
        }
        if (i == WIRE_MAX_LEAKS)
                return NULL;
        l = &up->leaks[up->n_leaks++];
        rt_zero(l, sizeof *l);
        rt_describe_block(b, &l->block);
        return l;
}

/* Tells of a lost block by itself, and leaves what it leads to to it. */
static void report_direct(struct heap_block *b)
{
        struct wire_leak *l = entry_of(b);

        if (l)
                l->direct++;
        else
                rt.up->leaks_known = 0;
        claim(b);
        while (list) {
                struct heap_block *at = list;

                list = (struct heap_block *)(uintptr_t)at->next;
                each_pointed(at, claim);
        }
}

static void report_unpointed(void *arg, struct heap_block *b)
{
        (void)arg;
        if (is_lost(b) && !(b->marks & POINTED))
                report_direct(b);
}

/* One of each ring of blocks that point to each other. */
static void report_rings(void *arg, struct heap_block *b)
{
        (void)arg;
        if (is_lost(b) && !(b->marks & CLAIMED))
                report_direct(b);
}

static void add_up(void *arg, struct heap_block *b)
{
        bool lost = is_lost(b);
        struct wire_leak *l = lost || (heap_block_live(b) && (b->marks & DOUBTFUL)) ? entry_of(b) : NULL;

        (void)arg;
        if (!l) {
                if (lost || (b->marks & DOUBTFUL))
                        rt.up->leaks_known = 0;
                return;
        }
        *(lost ? &l->bytes : &l->doubtful) += b->size;
        l->blocks += lost;
}

void leak_look(void)
{
        list = NULL;
        n_left = 0;
        mark = 0;
        if (ex.quick)
                return;
        rt.up->leaks_known = 1;
        heap_size = heap_extent();
        heap_each_block(begin, NULL);
        if (!n_left)
                return;
        scan_threads();
        flood();
        if (!area_each(scan_root)) {
                rt.up->leaks_known = 0;
                return;
        }
        scan_data();
        if (n_left)
                scan_ended();
        flood();
        if (!n_left)
                return;
        mark = DOUBTFUL;
        scan_waiting();
        flood();
        heap_each_block(point, NULL);
        heap_each_block(report_unpointed, NULL);
        heap_each_block(report_rings, NULL);
        heap_each_block(add_up, NULL);
}
