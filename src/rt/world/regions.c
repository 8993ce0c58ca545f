/*
 * See regions.h.
 *
 * The data of libc and other libraries of the system (rt_is_system) is large and hardly ever written: it is write-protected, a
 * page that is written to is let go by the fault handler, and from then on copied back like the rest.  The program's own
 * data is not treated so, since a system call that writes to a protected page fails instead of faulting.
 *
 * Large data of the program and a large heap become private mappings of a file with their contents: the kernel copies a page
 * when it is written to, by system calls too, and drops the copies on request.  Pages that executions use again and
 * again are copied back instead, which is faster than a page fault.  So an execution costs what it uses, not what there is.
 */
#include "rt/world/regions.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/map.h"
#include "rt/memory/heap.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/maps.h"
#include "rt/world/modules.h"

#define MAX_REGIONS 512
#define MAX_DIRTY   1024
#define PAGE        4096u
#define LARGE       (64u << 10) /* a copy of less costs less than a system call */
#define NEAR        4u          /* pages: what lies between two runs that are so near is copied too */

struct dirty {
        char *page;
        struct sparse copy;
};

struct region regions[MAX_REGIONS];
uint32_t n_regions;
static struct dirty dirty[MAX_DIRTY];
static uint32_t n_dirty;
static bool saved;
static uint32_t n_restored;
static uintptr_t own_lo, own_hi; /* the runtime's data */

void regions_add(void *arg, void *start, size_t size)
{
        (void)arg;
        if (!size)
                return;
        if (n_regions == MAX_REGIONS)
                rt_fault("too many mappings for a snapshot; try --isolate fork");
        regions[n_regions++] = (struct region){.start = start, .size = size};
}

/* A private writable mapping: what of it belongs to the program? */
static void add_mapping(uintptr_t lo, uintptr_t hi, uintptr_t main_sp)
{
        if (maps_in_region(lo))
                return;
        if (lo < own_hi && hi > own_lo) {
                if (lo < own_lo)
                        regions_add(NULL, (void *)lo, own_lo - lo);
                if (hi > own_hi)
                        regions_add(NULL, (void *)own_hi, hi - own_hi);
                return;
        }
        if (main_sp >= lo && main_sp < hi) {
                uintptr_t own_end, frames;

                pool_main_stack(lo, hi);
                frames = thread_frames(&threads[0], &own_end);
                lo = main_sp & ~(uintptr_t)15;
                if (frames > own_end) {
                        regions_add(NULL, (void *)lo, own_end - lo);
                        lo = frames;
                }
        }
        regions_add(NULL, (void *)lo, hi - lo);
}

static void read_mapping(void *arg, const struct mapping *m)
{
        if (m->write && !m->shared)
                add_mapping(m->lo, m->hi, *(uintptr_t *)arg);
}

void regions_read(void *main_sp)
{
        rt_own_range(&own_lo, &own_hi);
        n_regions = 0;
        maps_each(read_mapping, &main_sp);
}

/* Backing. */

static bool has_room(size_t size)
{
        uint64_t limit[2] = {0};

        return rt_syscall6(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)limit, 0, 0) == 0 && limit[0] >= size;
}

static bool is_zero(const char *page)
{
        const uint64_t *p = (const uint64_t *)(const void *)page;
        uint64_t any = 0;

        for (uint32_t i = 0; i < PAGE / 8; i++)
                any |= p[i];
        return !any;
}

/* A file with the contents of a range of pages, below 0 if there is none.  Zeroes are holes: a page fault maps the pages around
 * it that the file has, and those would be copied back too. */
static long file_with(const char *lo, size_t size)
{
        long fd = has_room(size) ? rt_syscall6(SYS_memfd_create, (long)"heddle", MFD_CLOEXEC, 0, 0, 0, 0) : -1;
        bool done = fd >= 0 && rt_syscall6(SYS_ftruncate, fd, (long)size, 0, 0, 0, 0) == 0;

        for (size_t at = 0; done && at < size; at += PAGE)
                if (!is_zero(lo + at))
                        done = rt_syscall6(SYS_pwrite64, fd, (long)(lo + at), PAGE, (long)at, 0, 0) == PAGE;
        if (fd >= 0 && !done) {
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
                return -1;
        }
        return fd;
}

static void back(struct region *r)
{
        char *lo = (char *)(((uintptr_t)r->start + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
        char *hi = (char *)(((uintptr_t)r->start + r->size) & ~(uintptr_t)(PAGE - 1));
        long fd = hi > lo && (size_t)(hi - lo) >= LARGE ? file_with(lo, (size_t)(hi - lo)) : -1;

        if (fd < 0)
                return;
        if (rt_syscall6(SYS_mmap, (long)lo, hi - lo, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                        fd, 0) == (long)lo) {
                r->backed = (struct region_run){lo, hi};
                r->way = REGION_BACKED;
        }
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* By what the kernel says of a page: is it mapped, and a copy of the file's? */
static bool is_used(uint64_t entry)
{
        return (entry >> 63 & 1) || (entry >> 62 & 1);
}

static bool is_written(uint64_t entry)
{
        return is_used(entry) && !(entry >> 61 & 1);
}

/* Calls f for the pages of a run that match; for all where the kernel does not say which do. */
static void each_page(struct region_run run, bool (*matches)(uint64_t entry), void (*f)(const void *lo, const void *hi))
{
        long fd = rt_syscall6(SYS_open, (long)"/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
        uint64_t entries[64];

        for (char *at = run.lo; at < run.hi; at += sizeof entries / 8 * PAGE) {
                size_t pages = (size_t)(run.hi - at) / PAGE, n = pages < 64 ? pages : 64;
                long got = fd < 0 ? -1
                                  : rt_syscall6(SYS_pread64, fd, (long)entries, (long)(n * 8),
                                                (long)((uintptr_t)at / PAGE * 8), 0, 0);

                for (size_t i = 0; i < n; i++)
                        if (got != (long)(n * 8) || matches(entries[i]))
                                f(at + i * PAGE, at + (i + 1) * PAGE);
        }
        if (fd >= 0)
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* Run i of the pages that are not copied: before hot run i, or after the last. */
static struct region_run cold(const struct region *r, uint32_t i)
{
        return (struct region_run){i ? r->hot[i - 1].hi : r->backed.lo, i < r->n_hot ? r->hot[i].lo : r->backed.hi};
}

static struct region_run found[REGION_MAX_RUNS];
static uint32_t n_found, near_pages;

static void add_hot(const void *lo, const void *hi)
{
        struct region_run *last = n_found ? &found[n_found - 1] : NULL;

        if (last && ((char *)lo <= last->hi + near_pages * PAGE || n_found == REGION_MAX_RUNS))
                last->hi = (char *)hi;
        else
                found[n_found++] = (struct region_run){(char *)lo, (char *)hi};
}

/* The pages that were used, and those that were hot before, in the order of addresses. */
static void learn_hot(struct region *r)
{
        size_t pages = (size_t)(r->backed.hi - r->backed.lo) / PAGE;

        n_found = 0;
        near_pages = NEAR + (uint32_t)(pages / 256);
        for (uint32_t i = 0; i <= r->n_hot; i++) {
                each_page(cold(r, i), is_used, add_hot);
                if (i < r->n_hot)
                        add_hot(r->hot[i].lo, r->hot[i].hi);
        }
        r->n_hot = n_found;
        rt_copy(r->hot, found, sizeof found);
}

const void *snapshot_copy(const void *start)
{
        uint32_t i = 0;

        while (i + 1 < n_regions && regions[i].start != start)
                i++;
        return regions[i].copy;
}

bool snapshot_is_backed(uintptr_t addr, size_t size)
{
        for (uint32_t i = 0; i < n_regions; i++)
                if (regions[i].way == REGION_BACKED && addr < (uintptr_t)regions[i].backed.hi &&
                    addr + size > (uintptr_t)regions[i].backed.lo)
                        return true;
        return false;
}

/* The snapshot. */

void regions_save(void)
{
        for (uint32_t i = 0; i < n_regions; i++) {
                struct region *r = &regions[i];
                r->copy = rt_map(r->size);
                rt_copy(r->copy, r->start, r->size);
                sparse_init(&r->all, r->copy, r->size);
                if (rt_is_system((uintptr_t)r->start)) {
                        if (!rt_syscall6(SYS_mprotect, (long)r->start, (long)r->size, PROT_READ, 0, 0, 0))
                                r->way = REGION_GUARDED;
                } else if (rt_is_program((uintptr_t)r->start) || heap_has((uintptr_t)r->start)) {
                        back(r);
                }
        }
        saved = true;
}

static void copy_back(const struct region *r, const char *lo, const char *hi)
{
        rt_copy((char *)lo, r->copy + (lo - r->start), (size_t)(hi - lo));
}

static void restore_backed(struct region *r)
{
        if (n_restored >= 8 && (n_restored & (n_restored - 1)) == 0)
                learn_hot(r);
        for (uint32_t i = 0; i <= r->n_hot; i++) {
                struct region_run run = cold(r, i);
                if (run.lo < run.hi && rt_syscall6(SYS_madvise, (long)run.lo, run.hi - run.lo, MADV_DONTNEED, 0, 0, 0))
                        copy_back(r, run.lo, run.hi);
        }
        for (uint32_t i = 0; i < r->n_hot; i++)
                copy_back(r, r->hot[i].lo, r->hot[i].hi);
        copy_back(r, r->start, r->backed.lo);
        copy_back(r, r->backed.hi, r->start + r->size);
}

void regions_restore(void)
{
        n_restored++;
        for (uint32_t i = 0; i < n_regions; i++) {
                struct region *r = &regions[i];
                if (r->way == REGION_BACKED)
                        restore_backed(r);
                else if (r->way == REGION_COPIED)
                        sparse_put(&r->all, r->start);
        }
        for (uint32_t i = 0; i < n_dirty; i++)
                sparse_put(&dirty[i].copy, dirty[i].page);
}

void regions_page(char *page)
{
        for (uint32_t i = 0; i < n_regions; i++) {
                const struct region *r = &regions[i];

                if (r->way == REGION_BACKED && page >= r->backed.lo && page < r->backed.hi) {
                        copy_back(r, page, page + PAGE);
                        return;
                }
        }
        rt_zero(page, PAGE);
}

bool snapshot_fault(uintptr_t addr)
{
        for (uint32_t i = 0; i < n_regions; i++) {
                const struct region *r = &regions[i];
                char *page = (char *)(addr & ~(uintptr_t)(PAGE - 1));

                if (r->way != REGION_GUARDED || addr < (uintptr_t)r->start || addr >= (uintptr_t)r->start + r->size)
                        continue;
                for (uint32_t k = 0; k < n_dirty; k++)
                        if (dirty[k].page == page)
                                return false; /* it is writable: something else is wrong */
                if (n_dirty == MAX_DIRTY ||
                    rt_syscall6(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0))
                        return false;
                dirty[n_dirty].page = page;
                sparse_init(&dirty[n_dirty++].copy, r->copy + (page - r->start), PAGE);
                return true;
        }
        return false;
}

static bool is_data(const struct region *r)
{
        uintptr_t lo = (uintptr_t)r->start;
        uint32_t slot;

        return !heap_has(lo) && !(lo >= own_lo && lo < own_hi) && !pool_stack_at(lo, &slot);
}

void snapshot_each_data(void (*f)(const void *lo, const void *hi, enum region_way way))
{
        void *here = &here;

        if (!saved) { /* fork mode: no snapshot is taken, and each process is as it is */
                regions_read(here);
        }
        for (uint32_t i = 0; i < n_regions; i++)
                if (is_data(&regions[i]))
                        f(regions[i].start, regions[i].start + regions[i].size, regions[i].way);
}

static void each_changed(const struct region *r, void (*f)(const void *lo, const void *hi))
{
        f(r->start, r->backed.lo);
        for (uint32_t i = 0; i <= r->n_hot; i++) {
                each_page(cold(r, i), is_written, f);
                if (i < r->n_hot)
                        f(r->hot[i].lo, r->hot[i].hi);
        }
        f(r->backed.hi, r->start + r->size);
}

void snapshot_each_page(void (*f)(const void *lo, const void *hi))
{
        for (uint32_t i = 0; i < n_dirty; i++)
                f(dirty[i].page, dirty[i].page + PAGE);
        for (uint32_t i = 0; i < n_regions; i++)
                if (regions[i].way == REGION_BACKED && is_data(&regions[i]))
                        each_changed(&regions[i], f);
}
