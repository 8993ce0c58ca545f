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
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/core.h"
#include "rt/spin.h"

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
static uintptr_t *saved_calls;
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

static int find_own(struct dl_phdr_info *info, size_t size, void *arg)
{
        uintptr_t lo = UINTPTR_MAX, hi = 0, here = (uintptr_t)&rt;

        (void)size;
        (void)arg;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Phdr) *p = &info->dlpi_phdr[i];
                uintptr_t a = info->dlpi_addr + p->p_vaddr;
                if (p->p_type != PT_LOAD)
                        continue;
                lo = a < lo ? a : lo;
                hi = a + p->p_memsz > hi ? a + p->p_memsz : hi;
        }
        if (here < lo || here >= hi)
                return 0;
        own_lo = lo & ~(uintptr_t)4095;
        own_hi = (hi + 4095) & ~(uintptr_t)4095;
        return 1;
}

/* A private writable mapping: what of it belongs to the program? */
static void add_mapping(uintptr_t lo, uintptr_t hi, uintptr_t main_sp)
{
        if (lo >= RT_REGION_LO && lo < RT_REGION_HI)
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

static const char *hex(const char *p, uintptr_t *v)
{
        for (*v = 0;; p++) {
                if (*p >= '0' && *p <= '9')
                        *v = *v << 4 | (uintptr_t)(*p - '0');
                else if (*p >= 'a' && *p <= 'f')
                        *v = *v << 4 | (uintptr_t)(*p - 'a' + 10);
                else
                        return p;
        }
}

static void read_maps(uintptr_t main_sp)
{
        static char text[256 << 10];
        size_t n = 0;
        long r, fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);

        if (fd < 0)
                rt_fault("cannot read /proc/self/maps");
        while (n < sizeof text - 1 && (r = rt_syscall6(SYS_read, fd, (long)(text + n), (long)(sizeof text - 1 - n), 0, 0, 0)) > 0)
                n += (size_t)r;
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        text[n] = 0;
        for (const char *p = text; *p;) {
                uintptr_t lo, hi;
                p = hex(p, &lo);
                p = hex(p + 1, &hi);
                if (p[2] == 'w' && p[4] == 'p')
                        add_mapping(lo, hi, main_sp);
                while (*p && *p++ != '\n')
                        ;
        }
}

void snapshot_take(void *main_sp)
{
        dl_iterate_phdr(find_own, NULL);
        n_regions = 0;
        read_maps((uintptr_t)main_sp);
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
        saved_ex = ex;
        saved_main = threads[0];
        saved_objects = rt_map((ex.n_objects + 1) * sizeof *saved_objects);
        rt_copy(saved_objects, objects, ex.n_objects * sizeof *objects);
        saved_calls = rt_map((threads[0].n_calls + 1) * sizeof *saved_calls);
        rt_copy(saved_calls, threads[0].calls,
                (threads[0].n_calls < RT_MAX_CALLS ? threads[0].n_calls : RT_MAX_CALLS) * sizeof *saved_calls);
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
                if (n_dirty == MAX_DIRTY || rt_syscall6(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0))
                        return false;
                dirty[n_dirty].page = page;
                dirty[n_dirty++].copy = r->copy + (page - r->start);
                return true;
        }
        return false;
}

/* The shadow words of objects, as they were. */
static void restore_objects(void)
{
        for (uint32_t i = saved_ex.n_objects; i < ex.n_objects; i++) {
                uint32_t *s = shadow_at((uintptr_t)objects[i].addr);
                *s &= 0xffffu;
        }
        rt_copy(objects, saved_objects, saved_ex.n_objects * sizeof *objects);
        for (uint32_t i = 0; i < saved_ex.n_objects; i++) {
                uint32_t *s = shadow_at((uintptr_t)objects[i].addr);
                *s = (*s & 0xffffu) | (i + 1) << 16;
        }
}

void snapshot_restore(void)
{
        spin_reset();
        for (uint32_t i = 0; i < n_regions; i++)
                if (!regions[i].guarded)
                        rt_copy(regions[i].start, regions[i].copy, regions[i].size);
        for (uint32_t i = 0; i < n_dirty; i++)
                rt_copy(dirty[i].page, dirty[i].copy, PAGE);
        restore_objects();
        for (uint32_t i = 1; i < ex.n_threads; i++)
                threads[i].state = WIRE_T_UNUSED;
        ex = saved_ex;
        threads[0] = saved_main;
        rt_copy(threads[0].calls, saved_calls,
                (threads[0].n_calls < RT_MAX_CALLS ? threads[0].n_calls : RT_MAX_CALLS) * sizeof *saved_calls);
}
