/*
 * Shadow memory: for every 8 bytes of the program's memory, which threads touch it and which object lives there.
 *
 * The mark of a granule is an owner (thread + 1) with the number of an execution, or RT_SHARED.  An owner of an earlier
 * execution is none: whether two threads touch a granule is asked again in each.  Memory of a thread whose end was waited
 * for goes over to the one that waited: its accesses happened before, so no thread can tell.
 *
 * What turns out to be shared in the middle of an execution is logged from the next one on (RT_NEW_SHARED until then),
 * because half a log would not match the schedule being followed; the explorer runs the schedule again.
 */
#include "rt/memory/shadow.h"

#include "rt/fault.h"
#include "rt/map.h"
#include "rt/memory/heap.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/world/maps.h"

#define DIR_SIZE    ((size_t)1 << 27)    /* 47 address bits */
#define MOST_FRAMES ((uintptr_t)1 << 20) /* of a signal handler */
#define LEAF_SIZE   (((size_t)1 << (SHADOW_BITS - 3)) * sizeof(uint64_t))

uint64_t **shadow_dir;

static uint32_t epoch; /* number of the execution, from 1; 0 before the snapshot */

bool shadow_flat[128];

#define TERABYTE ((uintptr_t)1 << 40)

/* The words of n terabytes are together, n being a power of two that the first is a multiple of. */
static bool flatten(uint32_t first, uint32_t n)
{
        uintptr_t flip = WIRE_SHADOW_FLIP & ~(n * TERABYTE - 1);

        if (!rt_map_at(first * TERABYTE ^ flip, n * TERABYTE))
                return false;
        for (uint32_t i = 0; i < n; i++)
                shadow_flat[first + i] = true;
        return true;
}

void shadow_init(void)
{
        static const struct {
                uint8_t first, n;
        } used[] = {{0x00, 16},            /* programs at fixed addresses, and allocators that choose addresses */
                    {0x10, 8},             /* the heap */
                    {0x20, 2},             /* stacks */
                    {0x48, 4},             /* mappings of threads */
                    {0x55, 1},  {0x56, 1}, /* programs, */
                    {0x7e, 2}};            /* libraries, the main stack */

        shadow_dir = rt_map(DIR_SIZE * sizeof *shadow_dir);
        for (uint32_t i = 0; i < sizeof used / sizeof *used; i++)
                if (!flatten(used[i].first, used[i].n))
                        rt_fault("the runtime could not reserve shadow memory (is `ulimit -v` set?)");
        if (!rt_map_at(WIRE_NOW, 4096))
                rt_fault("the program uses an address that heddle needs (1 MiB)");
        ((struct wire_now *)WIRE_NOW)->flip = WIRE_SHADOW_FLIP;
}

bool shadow_missed(uintptr_t shadow)
{
        uintptr_t addr = (shadow - WIRE_SHADOW_SKEW) ^ WIRE_SHADOW_FLIP, first = addr & ~(TERABYTE - 1);

        if (addr >> 47 || maps_in_region(addr) || shadow_is_flat(addr) || !memory_is_there(addr))
                return false;
        if (!flatten((uint32_t)(addr >> 40), 1))
                rt_refuse("memory at an address whose shadow memory is in use");
        for (uintptr_t a = first; a < first + TERABYTE; a += (uintptr_t)1 << SHADOW_BITS) {
                const uint64_t *leaf = shadow_dir[a >> SHADOW_BITS];

                for (size_t i = 0; leaf && i < LEAF_SIZE / sizeof *leaf; i++)
                        if (leaf[i])
                                *shadow_flat_at(a + ((i << 3) ^ 0x800)) = leaf[i];
        }
        return true;
}

void shadow_directory(uintptr_t *lo, uintptr_t *hi)
{
        *lo = (uintptr_t)shadow_dir;
        *hi = (uintptr_t)(shadow_dir + DIR_SIZE);
}

static __attribute__((noinline)) uint64_t *new_leaf(size_t i)
{
        return shadow_dir[i] = rt_map(LEAF_SIZE);
}

static inline uint64_t *word_at(uintptr_t addr)
{
        if (RT_LIKELY(shadow_is_flat(addr)))
                return shadow_flat_at(addr);
        size_t i = (addr >> SHADOW_BITS) & (DIR_SIZE - 1);
        uint64_t *leaf = shadow_dir[i];

        if (RT_UNLIKELY(!leaf))
                leaf = new_leaf(i);
        return &leaf[shadow_place(addr)];
}

uint64_t *shadow_at(uintptr_t addr)
{
        return word_at(addr);
}

uint64_t shadow_mark(const struct thread *t)
{
        return (uint64_t)epoch << 16 | t->tag;
}

/* The same, of an address: the frames of a signal handler are the thread's own. */
static uint64_t mark_at(const struct thread *t, uintptr_t addr)
{
        bool frame = t->tag & RT_HANDLER && addr < t->signals.sp && addr + MOST_FRAMES >= t->signals.sp;

        return (uint64_t)epoch << 16 | (frame ? t->tag & ~RT_HANDLER : t->tag);
}

void shadow_new_execution(void)
{
        epoch++;
}

static void set_mark(uint64_t *s, uint64_t mark)
{
        *s = *s >> RT_MARK_BITS << RT_MARK_BITS | mark;
}

/* A second thread has come to this granule. */
static void found_shared(uint64_t *s, uintptr_t granule)
{
        set_mark(s, (uint64_t)epoch << 16 | RT_NEW_SHARED);
        if (ex.n_new_shared < WIRE_MAX_SHARED)
                rt.up->new_shared[ex.n_new_shared++] = granule;
        else
                rt_fault("too much shared memory: more than a million words");
        rt.up->n_new_shared = ex.n_new_shared;
}

/* Has t, or a thread whose end t has waited for, waited for the end of this thread? */
static bool ended_before(uint32_t id, const struct thread *t)
{
        while (threads[id].handle.joined) {
                id = threads[id].handle.joined_by;
                if (id == t->id)
                        return true;
                if (threads[id].state != WIRE_T_DONE)
                        return false;
        }
        return false;
}

bool shadow_touch_any(struct thread *t, uintptr_t addr, size_t size)
{
        uintptr_t g = addr >> 3, last = size ? (addr + size - 1) >> 3 : g;
        uint64_t mine = mark_at(t, addr);
        bool shared = false;

        for (; g <= last; g++) {
                uint64_t *s = word_at(g << 3), mark = RT_MARK(*s);
                uint32_t owner = mark & 0xffffu;

                if (mark == mine)
                        continue;
                if (owner == RT_SHARED)
                        shared = true;
                else if (mark >> 16 != epoch || owner == 0 || (mark & ~(uint64_t)RT_KNOWN) == (mine | RT_SLOW))
                        set_mark(s, mine);
                else if (owner == RT_NEW_SHARED)
                        continue;
                else if (ended_before((owner & ~(RT_KNOWN | RT_SLOW | RT_HANDLER)) - 1, t))
                        set_mark(s, mine);
                else
                        found_shared(s, g);
        }
        return shared;
}

/* Has t waited for the end of all others? */
static bool all_ended(const struct thread *t)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state != WIRE_T_UNUSED && i != t->id && !ended_before(i, t))
                        return false;
        return true;
}

bool shadow_use(struct thread *t, uintptr_t addr, uint32_t mode)
{
        uint64_t *s = shadow_at(addr), mark = RT_MARK(*s), mine = shadow_mark(t);
        uint32_t owner = mark & 0xffffu, who = owner & RT_SEVERAL, did = owner & (RT_READERS | RT_ADDERS);
        uint32_t does = mode == WIRE_MODE_READ ? RT_READERS : mode == WIRE_MODE_COMMUTE ? RT_ADDERS : 0;

        if (owner == RT_SHARED)
                return true;
        if (mark >> 16 != epoch || !owner)
                set_mark(s, mine | does);
        else if (owner == RT_NEW_SHARED)
                return false;
        else if (who == t->tag)
                set_mark(s, mine | (did & does));
        else if (does && does == did)
                set_mark(s, (uint64_t)epoch << 16 | RT_SEVERAL | does);
        else if (who == RT_SEVERAL ? all_ended(t) : ended_before((who & ~RT_HANDLER) - 1, t))
                set_mark(s, mine | does);
        else
                found_shared(s, addr >> 3);
        return false;
}

bool shadow_is_shared(uintptr_t addr)
{
        const uint64_t *s = shadow_peek(addr);
        uint32_t owner = s ? *s & 0xffffu : 0;

        return owner == RT_SHARED || owner == RT_NEW_SHARED; /* of whichever execution: it is reported once */
}

void shadow_share(uintptr_t addr)
{
        if (!shadow_is_shared(addr))
                found_shared(shadow_at(addr), addr >> 3);
}

static void slow(uint64_t *s, uint32_t known)
{
        uint64_t mark = RT_MARK(*s);
        uint32_t owner = mark & 0xffffu;

        if (mark >> 16 == epoch && owner && owner != RT_NEW_SHARED && owner != RT_SHARED)
                set_mark(s, (mark & ~(uint64_t)RT_KNOWN) | RT_SLOW | (known & 4) << 13 | (known & 3) << 12);
}

void shadow_slow(uintptr_t addr, size_t size)
{
        uintptr_t g = addr >> 3, last = size ? (addr + size - 1) >> 3 : g;

        for (; g <= last; g++)
                slow(word_at(g << 3), 0);
}

void shadow_end(uintptr_t end)
{
        slow(word_at(end), end & 7);
}

void shadow_own(const struct thread *t, uintptr_t addr, size_t size)
{
        uint64_t mine = shadow_mark(t);

        for (uintptr_t at = addr; at + 8 <= addr + size; at += 8) {
                uint64_t *s = word_at(at);
                if ((*s & 0xffffu) != RT_SHARED)
                        set_mark(s, mine);
        }
}

void shadow_apply_shared(void)
{
        uint32_t n = rt.down->n_shared;

        for (; rt.n_shared_applied < n; rt.n_shared_applied++) {
                uint64_t g = rt.down->shared[rt.n_shared_applied], bits = g >> WIRE_WATCHED_SHIFT;
                uintptr_t granule = (uintptr_t)(g ^ bits << WIRE_WATCHED_SHIFT);
                pool_lend(granule << 3);
                set_mark(shadow_at(granule << 3), RT_SHARED | (bits | shadow_watchers(granule)) << 16);
        }
}

uint32_t shadow_watchers(uintptr_t granule)
{
        const uint64_t *s = shadow_peek(granule << 3);
        uint64_t mark = s ? RT_MARK(*s) : 0;

        return (mark & 0xffffu) == RT_SHARED ? (uint32_t)(mark >> 16) : 0;
}

bool shadow_watched(uintptr_t granule, uint64_t bit)
{
        uint64_t *s = shadow_at(granule << 3), mark = RT_MARK(*s);

        if ((mark & 0xffffu) != RT_SHARED) {
                if (mark == ((uint64_t)epoch << 16 | RT_NEW_SHARED))
                        return true; /* reported already; this run does not count */
                set_mark(s, (uint64_t)epoch << 16 | RT_NEW_SHARED);
                return false;
        }
        if (mark >> 16 & bit)
                return true;
        set_mark(s, mark | bit << 16);
        return false;
}
