/*
 * Areas: where the program's threads map memory during an execution.
 *
 *   AREA_BASE + slot * AREA_STRIDE
 *   | mapping | mapping |   hole   | mapping |
 *   ^ start                                  ^ bump
 *
 * Invariant: an address depends only on the thread and on what it mapped before, never on what was unmapped, and
 * putting back is unmapping the used part.  Memory that was there at the snapshot must stay where it is; a program that
 * unmaps it or maps over it runs in fork mode.
 */
#include "rt/memory/area.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/layout.h"
#include "rt/rt.h"
#include "rt/util.h"
#include "rt/world/maps.h"
#include "rt/world/regions.h"
#include "rt/world/restorable.h"

#define AREA_BASE   UINT64_C(0x480000000000)
#define AREA_STRIDE (UINT64_C(4) << 30)
#define AREA_END    (AREA_BASE + AREA_STRIDE * WIRE_MAX_THREADS)
#define HEAP_LO     UINT64_C(0x100000000000) /* the heap's arenas (heap.c): all of them readable and writable */
#define HEAP_HI     UINT64_C(0x200000000000)
#define PAGE        4096u
#define MAX_GUARDS  64

_Static_assert(AREA_END <= RT_REGION_HI, "no snapshot looks here");

static uint64_t bump[WIRE_MAX_THREADS];
static uint32_t n_used; /* slots below it may have used theirs */
static long saved_brk;
static bool moved_brk;
static struct {
        long addr, size;
} guards[MAX_GUARDS]; /* heap memory whose protection was changed */
static uint32_t n_guards;

static bool in_areas(long addr, long size)
{
        uint64_t lo = (uint64_t)addr, hi = lo + (uint64_t)size;

        return lo >= AREA_BASE && hi >= lo && hi <= AREA_END;
}

static uint64_t pages(long size)
{
        return ((uint64_t)size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* Room for so much in a thread's area, or 0. */
static uint64_t place(uint32_t slot, long size)
{
        uint64_t at = AREA_BASE + slot * AREA_STRIDE + bump[slot], n = pages(size);

        if (!size || n < (uint64_t)size || n > AREA_STRIDE - bump[slot])
                return 0;
        bump[slot] += n;
        if (n_used <= slot)
                n_used = slot + 1;
        return at;
}

long area_mmap(uint32_t slot, const long *a)
{
        long flags = a[3];
        uint64_t at;

        if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) && in_areas(a[0], a[1]))
                return rt_syscall6(SYS_mmap, a[0], a[1], a[2], flags, a[4], a[5]);
        if (!(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT)) && (at = place(slot, a[1])))
                return rt_syscall6(SYS_mmap, (long)at, a[1], a[2], flags | MAP_FIXED_NOREPLACE, a[4], a[5]);
        kernel_cannot_restore(flags & MAP_FIXED ? "the program maps memory at a fixed address"
                                                : "the program maps more memory than heddle sets apart for it");
        return rt_syscall6(SYS_mmap, a[0], a[1], a[2], flags, a[4], a[5]);
}

long area_munmap(const long *a)
{
        if (!in_areas(a[0], a[1]))
                kernel_cannot_restore("the program unmaps memory that was there before its first thread");
        return rt_syscall6(SYS_munmap, a[0], a[1], 0, 0, 0, 0);
}

long area_mremap(uint32_t slot, const long *a)
{
        uint64_t at;

        if (!in_areas(a[0], a[1]) || ((a[3] & MREMAP_FIXED) && !in_areas(a[4], a[2])))
                kernel_cannot_restore("the program moves memory that was there before its first thread");
        else if ((a[3] & MREMAP_FIXED) || pages(a[2]) <= pages(a[1]))
                ;
        else if (!(a[3] & MREMAP_MAYMOVE))
                return -ENOMEM;
        else if ((at = place(slot, a[2])))
                return rt_syscall6(SYS_mremap, a[0], a[1], a[2], a[3] | MREMAP_FIXED, (long)at, 0);
        return rt_syscall6(SYS_mremap, a[0], a[1], a[2], a[3], a[4], 0);
}

long area_mprotect(long nr, const long *a)
{
        bool heap = (uint64_t)a[0] >= HEAP_LO && (uint64_t)a[0] + (uint64_t)a[1] <= HEAP_HI;

        if (heap && n_guards < MAX_GUARDS) {
                guards[n_guards].addr = a[0];
                guards[n_guards++].size = a[1];
        } else if (!in_areas(a[0], a[1])) {
                kernel_cannot_restore("the program changes the protection of memory");
        }
        return rt_syscall6(nr, a[0], a[1], a[2], a[3], 0, 0);
}

bool area_empties(int advice)
{
        return advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE;
}

/* What was there before the snapshot may be backed by a file: it would become what it was, not zeroes. */
long area_madvise(const long *a)
{
        if (area_empties((int)a[2]) && snapshot_is_backed((uintptr_t)a[0], (size_t)a[1]))
                kernel_cannot_restore(
                        "the program discards the contents of memory that was there before its first thread");
        return rt_syscall6(SYS_madvise, a[0], a[1], a[2], 0, 0, 0);
}

long area_brk(const long *a)
{
        moved_brk = true;
        return rt_syscall6(SYS_brk, a[0], 0, 0, 0, 0, 0);
}

static void (*visit)(const void *lo, const void *hi);

static void visit_mapping(void *arg, const struct mapping *m)
{
        (void)arg;
        if (m->read && m->write && in_areas((long)m->lo, (long)(m->hi - m->lo)))
                visit((const void *)m->lo, (const void *)m->hi);
}

bool area_each(void (*f)(const void *lo, const void *hi))
{
        visit = f;
        if (n_used)
                maps_each(visit_mapping, NULL);
        return !n_guards;
}

void area_save(void)
{
        saved_brk = rt_syscall6(SYS_brk, 0, 0, 0, 0, 0, 0);
}

bool area_is_unchanged(void)
{
        return !n_used && !n_guards && !moved_brk;
}

void area_restore(void)
{
        for (uint32_t i = 0; i < n_used; i++) {
                if (bump[i])
                        rt_syscall6(SYS_munmap, (long)(AREA_BASE + i * AREA_STRIDE), (long)bump[i], 0, 0, 0, 0);
                bump[i] = 0;
        }
        n_used = 0;
        for (uint32_t i = 0; i < n_guards; i++)
                rt_syscall6(SYS_mprotect, guards[i].addr, guards[i].size, PROT_READ | PROT_WRITE, 0, 0, 0);
        n_guards = 0;
        if (moved_brk)
                rt_syscall6(SYS_brk, saved_brk, 0, 0, 0, 0, 0);
        moved_brk = false;
}
