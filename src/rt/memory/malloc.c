/*
 * The names of the heap: malloc and similar functions, and the operators new and delete of C++.
 *
 * A process that heddle did not start gets libc's heap.  Which of the two is decided at the first call and for good,
 * because the loader allocates before any constructor runs.
 *
 * The operators are taken over so that what they were called from is known, and what was made by one kind is not given
 * back by another.  Out of memory is reported by the library's own operator, which throws.
 */
#include "rt/memory/malloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/memory/allocate.h"
#include "rt/memory/heap.h"
#include "rt/real.h"
#include "rt/threads.h"

#define HEAP_PAGE 4096u

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

static size_t round_up_power(size_t align)
{
        size_t a = HEAP_UNIT;

        while (a < align && a <= SIZE_MAX / 4)
                a *= 2;
        return a;
}

static void *get_aligned(size_t align, size_t size, uintptr_t site)
{
        return heap_is_target() ? heap_alloc(round_up_power(align), size, HEAP_MALLOC, site)
                                : __libc_memalign(align, size);
}

RT_STUB(malloc, entry_malloc, "default")
void *entry_malloc(size_t size) __attribute__((used, visibility("hidden")));
void *entry_malloc(size_t size)
{
        return heap_is_target() ? heap_alloc(0, size, HEAP_MALLOC, RT_STUB_SITE()) : __libc_malloc(size);
}

RT_STUB(calloc, entry_calloc, "default")
void *entry_calloc(size_t n, size_t size) __attribute__((used, visibility("hidden")));
void *entry_calloc(size_t n, size_t size)
{
        size_t bytes;

        if (!heap_is_target())
                return __libc_calloc(n, size);
        if (__builtin_mul_overflow(n, size, &bytes))
                bytes = SIZE_MAX;
        return heap_alloc(0, bytes, HEAP_MALLOC, RT_STUB_SITE());
}

RT_STUB(realloc, entry_realloc, "default")
void *entry_realloc(void *p, size_t size) __attribute__((used, visibility("hidden")));
void *entry_realloc(void *p, size_t size)
{
        return heap_is_target() ? heap_realloc(p, size, RT_STUB_SITE()) : __libc_realloc(p, size);
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

RT_STUB_VOID(free, free_block, "default")
void free_block(void *p) __attribute__((used, visibility("hidden")));
void free_block(void *p)
{
        if (heap_is_target())
                heap_free(p, HEAP_MALLOC, RT_STUB_SITE());
        else
                __libc_free(p);
}

RT_EXPORT void cfree(void *p)
{
        if (heap_is_target())
                heap_free(p, HEAP_MALLOC, RT_SITE());
        else
                __libc_free(p);
}

RT_EXPORT void *memalign(size_t align, size_t size)
{
        return get_aligned(align, size, RT_SITE());
}

RT_EXPORT void *aligned_alloc(size_t align, size_t size)
{
        return get_aligned(align, size, RT_SITE());
}

RT_EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
        int saved = errno;
        void *p;

        if (align % sizeof(void *) || !align || (align & (align - 1)))
                return EINVAL;
        p = get_aligned(align, size, RT_SITE());
        errno = saved;
        if (!p)
                return ENOMEM;
        call_out(out, &p, sizeof p, RT_SITE());
        return 0;
}

RT_EXPORT void *valloc(size_t size)
{
        return get_aligned(HEAP_PAGE, size, RT_SITE());
}

RT_EXPORT void *pvalloc(size_t size)
{
        size_t rounded = (size + HEAP_PAGE - 1) & ~(size_t)(HEAP_PAGE - 1);

        return get_aligned(HEAP_PAGE, rounded < size ? SIZE_MAX / 2 : rounded, RT_SITE());
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

/* Operators: the names are those of the Itanium ABI. */

#define NEW(name, how, NOTHROW, ALIGN, arguments, actual)                                         \
        RT_STUB(name, rt##name, "default")                                                        \
        void *rt##name arguments __attribute__((used, visibility("hidden")));                     \
        void *rt##name arguments                                                                  \
        {                                                                                         \
                static void *(*real)arguments;                                                    \
                void *p = heap_is_target() ? heap_alloc(ALIGN, size, how, RT_STUB_SITE()) : NULL; \
                if (p || (NOTHROW && heap_is_target()))                                           \
                        return p;                                                                 \
                if (rt_on() && rt.down->fail_malloc)                                              \
                        rt_cur->alloc.no_memory = true;                                           \
                if (!real)                                                                        \
                        real = (void *(*)arguments)rt_real(#name);                                \
                return real actual;                                                               \
        }

#define DELETE(name, how, arguments, actual)                                 \
        RT_STUB_VOID(name, rt##name, "default")                              \
        void rt##name arguments __attribute__((used, visibility("hidden"))); \
        void rt##name arguments                                              \
        {                                                                    \
                static void(*real) arguments;                                \
                if (heap_is_target()) {                                      \
                        heap_free(p, how, RT_STUB_SITE());                   \
                        return;                                              \
                }                                                            \
                if (!real)                                                   \
                        real = (void(*) arguments)rt_real(#name);            \
                real actual;                                                 \
        }

NEW(_Znwm, HEAP_NEW, false, 0, (size_t size), (size))
NEW(_Znam, HEAP_NEW_ARRAY, false, 0, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, HEAP_NEW, true, 0, (size_t size, const void *tag), (size, tag))
NEW(_ZnamRKSt9nothrow_t, HEAP_NEW_ARRAY, true, 0, (size_t size, const void *tag), (size, tag))
NEW(_ZnwmSt11align_val_t, HEAP_NEW, false, round_up_power(align), (size_t size, size_t align), (size, align))
NEW(_ZnamSt11align_val_t, HEAP_NEW_ARRAY, false, round_up_power(align), (size_t size, size_t align), (size, align))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, HEAP_NEW, true, round_up_power(align),
    (size_t size, size_t align, const void *tag), (size, align, tag))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, HEAP_NEW_ARRAY, true, round_up_power(align),
    (size_t size, size_t align, const void *tag), (size, align, tag))
DELETE(_ZdlPv, HEAP_NEW, (void *p), (p))
DELETE(_ZdaPv, HEAP_NEW_ARRAY, (void *p), (p))
DELETE(_ZdlPvm, HEAP_NEW, (void *p, size_t size), (p, size))
DELETE(_ZdaPvm, HEAP_NEW_ARRAY, (void *p, size_t size), (p, size))
DELETE(_ZdlPvRKSt9nothrow_t, HEAP_NEW, (void *p, const void *tag), (p, tag))
DELETE(_ZdaPvRKSt9nothrow_t, HEAP_NEW_ARRAY, (void *p, const void *tag), (p, tag))
DELETE(_ZdlPvSt11align_val_t, HEAP_NEW, (void *p, size_t align), (p, align))
DELETE(_ZdaPvSt11align_val_t, HEAP_NEW_ARRAY, (void *p, size_t align), (p, align))
DELETE(_ZdlPvmSt11align_val_t, HEAP_NEW, (void *p, size_t size, size_t align), (p, size, align))
DELETE(_ZdaPvmSt11align_val_t, HEAP_NEW_ARRAY, (void *p, size_t size, size_t align), (p, size, align))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, HEAP_NEW, (void *p, size_t align, const void *tag), (p, align, tag))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, HEAP_NEW_ARRAY, (void *p, size_t align, const void *tag), (p, align, tag))
