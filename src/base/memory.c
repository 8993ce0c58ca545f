/*
 * malloc() and the like for all of the process.  The libraries that read symbols and instructions come here too: without
 * memory they would report that there is no such symbol, or exit with status 1 (libdw), which is a verdict.
 *
 * Invariant: no function here returns NULL for want of memory.  What a program that is checked allocates is its own
 * affair: it is another process.
 *
 * Leaves out: sanitizers, which bring an allocator that ends the process likewise.
 */
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fault.h"

_Noreturn void memory_out(void)
{
        fault_end("out of memory");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED)

#include <dlfcn.h>

#define EARLY 4096 /* bytes for what dlsym() itself allocates */

static struct {
        void *(*malloc)(size_t);
        void *(*calloc)(size_t, size_t);
        void *(*realloc)(void *, size_t);
        int (*posix_memalign)(void **, size_t, size_t);
        void (*free)(void *);
} next;

static char early[EARLY];
static size_t early_used;
static int searching;

/* The functions that come after ours: those of libc, or of what is preloaded. */
static void search(void)
{
        searching = 1;
        next.malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
        next.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
        next.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
        next.posix_memalign = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
        next.free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
        searching = 0;
        if (!next.malloc || !next.calloc || !next.realloc || !next.posix_memalign || !next.free)
                memory_out();
}

static void *take_early(size_t n)
{
        void *p = early + early_used;

        n = (n + 15) & ~(size_t)15;
        if (n > EARLY - early_used)
                memory_out();
        early_used += n;
        return p;
}

static int is_early(const void *p)
{
        return (const char *)p >= early && (const char *)p < early + EARLY;
}

static void *sure(void *p)
{
        if (!p)
                memory_out();
        return p;
}

void *malloc(size_t n)
{
        if (!next.free) {
                if (searching)
                        return take_early(n);
                search();
        }
        return sure(next.malloc(n));
}

void *calloc(size_t n, size_t size)
{
        if (!next.free) {
                if (searching)
                        return take_early(n * size); /* zero from the beginning, and used once */
                search();
        }
        return sure(next.calloc(n, size));
}

void *realloc(void *p, size_t n)
{
        void *q;

        if (!p)
                return malloc(n);
        if (!next.free)
                search();
        q = next.realloc(p, n);
        return n ? sure(q) : q;
}

void *reallocarray(void *p, size_t n, size_t size)
{
        size_t all;

        if (__builtin_mul_overflow(n, size, &all))
                memory_out();
        return realloc(p, all);
}

int posix_memalign(void **p, size_t alignment, size_t n)
{
        int e;

        if (!next.free)
                search();
        e = next.posix_memalign(p, alignment, n);
        if (e == ENOMEM)
                memory_out();
        return e;
}

void *aligned_alloc(size_t alignment, size_t n)
{
        void *p;

        return posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, n) ? NULL : p;
}

void free(void *p)
{
        if (!p || is_early(p))
                return;
        if (!next.free)
                search();
        next.free(p);
}

#endif
