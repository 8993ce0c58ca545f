/*
 * The snapshot: all memory that an execution may change, and how it is put back.
 *
 * It covers every private writable mapping of the process, the data of every shared object, ld.so's and libc's
 * included, the used part of the main stack, the TLS of the main thread (which stands in one of those mappings), the
 * used part of the heap with its metadata, and the runtime's own account of threads and objects.  It leaves out the
 * runtime's data, what the runtime mapped (RT_REGION), and the stacks of other threads: they begin empty.
 *
 * The data of libc and its kin (rt_is_system) is large and hardly ever written: it is write-protected, a page that is
 * written to after all is let go by the fault handler, and from then on copied back like the rest.  The program's own
 * data is not treated so, since a system call that writes to a protected page fails instead of faulting.
 *
 * Memory below a thread's stack pointer, and stacks of new threads, hold what earlier executions left there: a program
 * that reads uninitialised locals is nondeterministic, here as elsewhere.
 */
#include "rt/world/snapshot.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/calls/effect.h"
#include "rt/calls/random.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/sched/pool.h"
#include "rt/sched/spin.h"
#include "rt/sync/named_sem.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/kernel.h"
#include "rt/world/maps.h"
#include "rt/world/modules.h"

#define MAX_REGIONS 512
#define MAX_DIRTY   1024
#define PAGE        4096u

struct region {
        char *start;
        size_t size;
        char *copy;
        bool guarded; /* only the pages in `dirty` have been written to */
};

struct dirty {
        char *page;
        const char *copy;
};

static struct region regions[MAX_REGIONS];
static uint32_t n_regions;
static struct dirty dirty[MAX_DIRTY];
static uint32_t n_dirty;
static struct execution saved_ex;
static struct thread saved_main;
static struct object *saved_objects;
static struct rt_call *saved_calls;
static void *saved_named;
static uintptr_t own_lo, own_hi; /* the runtime's data */

static void add_region(void *arg, void *start, size_t size)
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
                        add_region(NULL, (void *)lo, own_lo - lo);
                if (hi > own_hi)
                        add_region(NULL, (void *)own_hi, hi - own_hi);
                return;
        }
        if (main_sp >= lo && main_sp < hi) {
                pool_main_stack(lo, hi);
                lo = main_sp & ~(uintptr_t)15;
        }
        add_region(NULL, (void *)lo, hi - lo);
}

static void read_mapping(void *arg, const struct mapping *m)
{
        if (m->write && !m->shared)
                add_mapping(m->lo, m->hi, *(uintptr_t *)arg);
}

void snapshot_take(void *main_sp)
{
        void *named;
        size_t size;

        rt_own_range(&own_lo, &own_hi);
        n_regions = 0;
        maps_each(read_mapping, &main_sp);
        add_region(NULL, heap_state, heap_state_size());
        add_region(NULL, random_state, random_state_size());
        heap_each_used(add_region, NULL);
        for (uint32_t i = 0; i < n_regions; i++) {
                struct region *r = &regions[i];
                r->copy = rt_map(r->size);
                rt_copy(r->copy, r->start, r->size);
                if (rt_is_system((uintptr_t)r->start))
                        r->guarded = !rt_syscall6(SYS_mprotect, (long)r->start, (long)r->size, PROT_READ, 0, 0, 0);
        }
        effect_save();
        saved_ex = ex;
        saved_main = threads[0];
        saved_objects = rt_map((ex.n_objects + 1) * sizeof *saved_objects);
        rt_copy(saved_objects, objects, ex.n_objects * sizeof *objects);
        named = named_state(&size);
        saved_named = rt_map(size + 1);
        rt_copy(saved_named, named, size);
        saved_calls = rt_map((threads[0].stack.n_calls + 1) * sizeof *saved_calls);
        rt_copy(saved_calls, threads[0].stack.calls,
                (threads[0].stack.n_calls < RT_MAX_CALLS ? threads[0].stack.n_calls : RT_MAX_CALLS) *
                        sizeof *saved_calls);
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

        if (!saved_objects) { /* fork mode: no snapshot is taken, and each process is as it is */
                rt_own_range(&own_lo, &own_hi);
                n_regions = 0;
                maps_each(read_mapping, &here);
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

/* The shadow words of objects, as they were. */
static void restore_objects(void)
{
        for (uint32_t i = saved_ex.n_objects; i < ex.n_objects; i++) {
                uint64_t *s = shadow_at((uintptr_t)objects[i].addr);
                *s = RT_MARK(*s);
        }
        rt_copy(objects, saved_objects, saved_ex.n_objects * sizeof *objects);
        for (uint32_t i = 0; i < saved_ex.n_objects; i++) {
                uint64_t *s = shadow_at((uintptr_t)objects[i].addr);
                *s = RT_MARK(*s) | (uint64_t)(i + 1) << RT_MARK_BITS;
        }
}

void snapshot_restore(void)
{
        void *named;
        size_t size;

        spin_reset();
        kernel_restore(); /* first: mappings must be there */
        effect_restore();
        for (uint32_t i = 0; i < n_regions; i++)
                if (!regions[i].guarded)
                        rt_copy(regions[i].start, regions[i].copy, regions[i].size);
        for (uint32_t i = 0; i < n_dirty; i++)
                rt_copy(dirty[i].page, dirty[i].copy, PAGE);
        restore_objects();
        for (uint32_t i = 1; i < ex.n_threads; i++)
                threads[i].state = WIRE_T_UNUSED;
        ex = saved_ex;
        named = named_state(&size);
        rt_copy(named, saved_named, size);
        threads[0] = saved_main;
        rt_copy(threads[0].stack.calls, saved_calls,
                (threads[0].stack.n_calls < RT_MAX_CALLS ? threads[0].stack.n_calls : RT_MAX_CALLS) *
                        sizeof *saved_calls);
}
