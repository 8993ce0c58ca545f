/*
 * See regions.h.
 *
 * The data of libc and other libraries of the system (rt_is_system) is large and hardly ever written: it is write-protected, a
 * page that is written to is let go by the fault handler, and from then on copied back like the rest.  The program's own
 * data is not treated so, since a system call that writes to a protected page fails instead of faulting.
 */
#include "rt/world/regions.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/map.h"
#include "rt/memory/heap.h"
#include "rt/sched/pool.h"
#include "rt/util.h"
#include "rt/world/maps.h"
#include "rt/world/modules.h"

#define MAX_REGIONS 512
#define MAX_DIRTY   1024
#define PAGE        4096u

struct dirty {
        char *page;
        const char *copy;
};

struct region regions[MAX_REGIONS];
uint32_t n_regions;
static struct dirty dirty[MAX_DIRTY];
static uint32_t n_dirty;
static bool saved;
static uintptr_t own_lo, own_hi; /* the runtime's data */

void regions_add(void *arg, void *start, size_t size)
{
        (void)arg;
        if (!size)
                return;
        if (n_regions == MAX_REGIONS)
                rt_fault("too many mappings for a snapshot; try --isolate fork");
        regions[n_regions].start = start;
        regions[n_regions].size = size;
        regions[n_regions].guarded = false;
        n_regions++;
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
                pool_main_stack(lo, hi);
                lo = main_sp & ~(uintptr_t)15;
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

void regions_save(void)
{
        for (uint32_t i = 0; i < n_regions; i++) {
                struct region *r = &regions[i];
                r->copy = rt_map(r->size);
                rt_copy(r->copy, r->start, r->size);
                if (rt_is_system((uintptr_t)r->start))
                        r->guarded = !rt_syscall6(SYS_mprotect, (long)r->start, (long)r->size, PROT_READ, 0, 0, 0);
        }
        saved = true;
}

void regions_restore(void)
{
        for (uint32_t i = 0; i < n_regions; i++)
                if (!regions[i].guarded)
                        rt_copy(regions[i].start, regions[i].copy, regions[i].size);
        for (uint32_t i = 0; i < n_dirty; i++)
                rt_copy(dirty[i].page, dirty[i].copy, PAGE);
}

bool snapshot_fault(uintptr_t addr)
{
        for (uint32_t i = 0; i < n_regions; i++) {
                const struct region *r = &regions[i];
                char *page = (char *)(addr & ~(uintptr_t)(PAGE - 1));

                if (!r->guarded || addr < (uintptr_t)r->start || addr >= (uintptr_t)r->start + r->size)
                        continue;
                for (uint32_t k = 0; k < n_dirty; k++)
                        if (dirty[k].page == page)
                                return false; /* it is writable: something else is wrong */
                if (n_dirty == MAX_DIRTY ||
                    rt_syscall6(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0))
                        return false;
                dirty[n_dirty].page = page;
                dirty[n_dirty++].copy = r->copy + (page - r->start);
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

void snapshot_each_data(void (*f)(const void *lo, const void *hi, bool same))
{
        void *here = &here;

        if (!saved) { /* fork mode: no snapshot is taken, and each process is as it is */
                regions_read(here);
        }
        for (uint32_t i = 0; i < n_regions; i++)
                if (is_data(&regions[i]))
                        f(regions[i].start, regions[i].start + regions[i].size, regions[i].guarded);
}

void snapshot_each_page(void (*f)(const void *lo, const void *hi))
{
        for (uint32_t i = 0; i < n_dirty; i++)
                f(dirty[i].page, dirty[i].page + PAGE);
}
