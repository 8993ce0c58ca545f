/*
 * See pages.h.
 *
 * Pages are write-protected when they are copied; the kernel takes the protection away at the first write, and nothing sets it
 * again: a page that one execution writes is mostly written by the next one too, and copying it costs less than a fault.  A page
 * that was not there is empty, or has the contents of the snapshot where a file backs it (regions.c).
 *
 * Shadow memory is reserved by the terabyte: only the words of what is mapped are looked at.
 */
#include "rt/waypoint/pages.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "rt/io/descriptor.h"
#include "rt/map.h"
#include "rt/memory/shadow.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/maps.h"
#include "rt/world/regions.h"

#define PAGE       4096u
#define MAX_PAGES  4096u /* that are copied: 16 MiB */
#define MAX_RANGES 256u
#define LEFT_OUT   3u
#define MAX_RUNS   32u                  /* the kernel allocates room for them */
#define NEAR       ((uintptr_t)1 << 30) /* a second look at the tables of the kernel costs more than so large a gap */
#define TERABYTE   ((uintptr_t)1 << 40)

/* Newer than the headers of some systems. */
struct scan {
        uint64_t size, flags, start, end, walk_end, runs, n_runs, max_pages;
        uint64_t inverted, mask, any, wanted;
};
#define SCAN         _IOWR('f', 16, struct scan)
#define SCAN_PROTECT 1u
#define PAGE_WATCHED 1u
#define PAGE_WRITTEN 2u
#define PAGE_PRESENT 8u
#define PAGE_SWAPPED 16u
#define UNPOPULATED  (UINT64_C(1) << 13) /* features of userfaultfd */
#define ASYNC        (UINT64_C(1) << 15)
#define USER_MODE    1

struct run { /* of pages, as the kernel reports them */
        uint64_t lo, hi, categories;
};

struct range {
        uintptr_t lo, hi;
};

/* In memory that is not put back. */
static struct pages {
        long faults, kernel; /* descriptors: of userfaultfd, and of /proc/self/pagemap */
        bool impossible;
        struct range left_out[LEFT_OUT];
        struct range ranges[MAX_RANGES];
        uint32_t n_ranges;
        uint32_t n_pages;
        uintptr_t at[MAX_PAGES]; /* ascending */
        struct run found[MAX_RUNS];
        char copies[MAX_PAGES][PAGE];
} * p;

static uintptr_t whole(uintptr_t addr)
{
        return (addr + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
}

void *pages_init(size_t size, const void *stack, size_t stack_size)
{
        p = rt_map(whole(sizeof *p) + size);
        p->left_out[0] = (struct range){(uintptr_t)p, whole((uintptr_t)p + whole(sizeof *p) + size)};
        p->left_out[1] = (struct range){(uintptr_t)stack, (uintptr_t)stack + stack_size};
        shadow_directory(&p->left_out[2].lo, &p->left_out[2].hi); /* it changes only where memory is mapped */
        return (char *)p + whole(sizeof *p);
}

/* Pages. */

static bool scan(struct range r, uint64_t flags, uint64_t mask, bool (*f)(uintptr_t page))
{
        while (r.lo < r.hi) {
                struct scan s = {.size = sizeof s,
                                 .flags = flags,
                                 .start = r.lo,
                                 .end = r.hi,
                                 .runs = (uint64_t)(uintptr_t)p->found,
                                 .n_runs = MAX_RUNS,
                                 .mask = PAGE_WATCHED | mask,
                                 .any = PAGE_PRESENT | PAGE_SWAPPED,
                                 .wanted = PAGE_PRESENT};
                long n = rt_syscall6(SYS_ioctl, p->kernel, SCAN, (long)&s, 0, 0, 0);

                rt_calls--; /* so that it is as it was, whenever its page is copied */
                if (n < 0 || s.walk_end <= r.lo)
                        return false;
                for (long i = 0; i < n; i++)
                        for (uintptr_t page = p->found[i].lo; page < p->found[i].hi; page += PAGE)
                                if (!f(page))
                                        return false;
                r.lo = s.walk_end;
        }
        return true;
}

static bool add_page(uintptr_t page)
{
        if (p->n_pages == MAX_PAGES)
                return false;
        p->at[p->n_pages] = page;
        rt_copy(p->copies[p->n_pages++], (const void *)page, PAGE);
        return true;
}

/* The number of a page, or of the next one that was copied. */
static uint32_t number_of(uintptr_t page)
{
        uint32_t lo = 0, hi = p->n_pages;

        while (lo < hi) {
                uint32_t mid = lo + (hi - lo) / 2;

                if (p->at[mid] < page)
                        lo = mid + 1;
                else
                        hi = mid;
        }
        return lo;
}

static bool put_back(uintptr_t page)
{
        uint32_t i = number_of(page);

        if (i < p->n_pages && p->at[i] == page)
                rt_copy((void *)page, p->copies[i], PAGE);
        else
                regions_page((char *)page);
        return true;
}

/* Ranges. */

static bool in_answer(uintptr_t addr)
{
        return addr >= (uintptr_t)rt.up && addr < (uintptr_t)(rt.up + 1);
}

/* Is nothing between them that is left out?  The kernel skips what is not watched. */
static bool adjoin(const struct range *r, uintptr_t lo)
{
        for (uint32_t i = 0; i < LEFT_OUT; i++)
                if (p->left_out[i].lo >= r->hi && p->left_out[i].lo < lo)
                        return false;
        return (r->lo < (uintptr_t)rt.up) == (lo < (uintptr_t)rt.up) && !in_answer(r->lo) && !in_answer(lo) &&
               lo - r->hi < NEAR;
}

static bool is_shadow(uintptr_t addr)
{
        return shadow_is_flat(addr ^ WIRE_SHADOW_FLIP);
}

static void append(uintptr_t lo, uintptr_t hi)
{
        if (p->n_ranges == MAX_RANGES)
                p->impossible = true;
        else
                p->ranges[p->n_ranges++] = (struct range){lo, hi};
}

static void add_range(uintptr_t lo, uintptr_t hi)
{
        struct range *last = &p->ranges[p->n_ranges - 1];

        if (lo >= hi)
                return;
        if (p->n_ranges && adjoin(last, lo))
                last->hi = hi;
        else
                append(lo, hi);
}

static bool watch(uintptr_t lo, uintptr_t hi)
{
        struct uffdio_register r = {.range = {lo, hi - lo}, .mode = UFFDIO_REGISTER_MODE_WP};

        return rt_syscall6(SYS_ioctl, p->faults, UFFDIO_REGISTER, (long)&r, 0, 0, 0) == 0;
}

/* A mapping without what is left out. */
static void add_mapping(uintptr_t lo, uintptr_t hi, uint32_t from)
{
        for (; from < LEFT_OUT; from++) {
                const struct range *out = &p->left_out[from];

                if (out->lo < hi && lo < out->hi) {
                        add_mapping(lo, out->lo < lo ? lo : out->lo, from + 1);
                        lo = out->hi < hi ? out->hi : hi;
                }
        }
        add_range(lo, hi);
}

static uintptr_t next_terabyte(uintptr_t addr, uintptr_t end)
{
        uintptr_t next = (addr & ~(TERABYTE - 1)) + TERABYTE;

        return next < end ? next : end;
}

/* A mapping without shadow memory, which the kernel joins with others next to it. */
static void add_unshadowed(uintptr_t lo, uintptr_t hi)
{
        for (uintptr_t next; lo < hi; lo = next) {
                next = next_terabyte(lo, hi);
                if (!is_shadow(lo))
                        add_mapping(lo, next, 0);
        }
}

static void on_mapping(void *arg, const struct mapping *m)
{
        uintptr_t entries = (uintptr_t)rt.up->events & ~(uintptr_t)(PAGE - 1);
        uintptr_t end = whole((uintptr_t)&rt.up->events[ex.n_events]);

        (void)arg;
        if (!m->write || p->impossible)
                return;
        if (m->shared && (entries < m->lo || end > m->hi))
                return;
        if (pool_is_unused(m->lo, rt.up->n_names)) /* as long as there are no more threads */
                return;
        if (!watch(m->lo, m->hi)) {
                p->impossible = true;
        } else if (m->shared) {
                add_range(entries, end);
        } else {
                if (m->name[0] == '/' && !snapshot_is_backed(m->lo, m->hi - m->lo))
                        for (uintptr_t page = m->lo; page < m->hi; page += PAGE)
                                (void)*(volatile const char *)page; /* so that the page is there */
                add_unshadowed(m->lo, m->hi);
        }
}

/* The words of a mapping: read-only memory has owners, too. */
static void on_shadow(void *arg, const struct mapping *m)
{
        (void)arg;
        if (m->lo >> 47 || pool_is_unused(m->lo, rt.up->n_names))
                return;
        for (uintptr_t lo = m->lo, hi; lo < m->hi; lo = hi) {
                struct range *last = &p->ranges[p->n_ranges - 1], words;

                hi = next_terabyte(lo, m->hi);
                if (is_shadow(lo) || !shadow_is_flat(lo))
                        continue;
                words.lo = (uintptr_t)shadow_flat_at(lo) & ~(uintptr_t)(PAGE - 1);
                words.hi = words.lo + (hi - lo) + PAGE; /* WIRE_SHADOW_SKEW */
                if (p->n_ranges && is_shadow(last->lo) && words.lo >= last->lo && words.lo < last->hi + NEAR)
                        last->hi = words.hi;
                else
                        append(words.lo, words.hi);
        }
}

/* By address, as pages are. */
static void sort_ranges(void)
{
        for (uint32_t i = 1; i < p->n_ranges; i++)
                for (uint32_t k = i; k && p->ranges[k - 1].lo > p->ranges[k].lo; k--) {
                        struct range r = p->ranges[k];

                        p->ranges[k] = p->ranges[k - 1];
                        p->ranges[k - 1] = r;
                }
}

static bool open_kernel(void)
{
        struct uffdio_api api = {.api = UFFD_API, .features = ASYNC | UNPOPULATED};
        long faults, pages;

        if (p->faults)
                return true;
        faults = rt_syscall6(SYS_userfaultfd, O_CLOEXEC | USER_MODE, 0, 0, 0, 0, 0);
        pages = rt_syscall6(SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0, 0, 0);
        if (faults >= 0 && pages >= 0 && rt_syscall6(SYS_ioctl, faults, UFFDIO_API, (long)&api, 0, 0, 0) == 0) {
                p->faults = descriptor_keep((int)faults);
                p->kernel = descriptor_keep((int)pages);
        }
        if (faults >= 0)
                rt_syscall6(SYS_close, faults, 0, 0, 0, 0, 0);
        if (pages >= 0)
                rt_syscall6(SYS_close, pages, 0, 0, 0, 0, 0);
        return p->faults > 0 && p->kernel > 0;
}

bool pages_save(void)
{
        p->n_ranges = p->n_pages = 0;
        if (!open_kernel())
                return false;
        maps_each(on_mapping, NULL);
        maps_each(on_shadow, NULL);
        sort_ranges();
        for (uint32_t i = 0; i < p->n_ranges && !p->impossible; i++)
                if (!scan(p->ranges[i], SCAN_PROTECT, 0, add_page))
                        return false;
        return !p->impossible;
}

bool pages_restore(void)
{
        for (uint32_t i = 0; i < p->n_ranges; i++)
                if (!scan(p->ranges[i], 0, PAGE_WRITTEN, put_back))
                        return false;
        return true;
}

static bool is_same(const uint64_t *a, const uint64_t *b)
{
        uint64_t differs = 0;

        for (uint32_t i = 0; i < PAGE / 8; i++)
                differs |= a[i] ^ b[i];
        return !differs;
}

bool pages_same(void)
{
        for (uint32_t i = 0; i < p->n_pages; i++)
                if (!is_same((const void *)p->at[i], (const void *)p->copies[i]))
                        return false;
        return true;
}
