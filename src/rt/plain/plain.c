/*
 * The library that programs are linked to, and that they find when they run outside `heddle check`: the hooks of
 * instrumented code and the annotations, doing the plain thing, and nothing else.  No function of libc is replaced.
 *
 * It is made of the runtime's own files, compiled with rt_cur always NULL (HEDDLE_PLAIN, rt.h); what that leaves
 * without use, the linker drops.  It has the name (SONAME) of the whole runtime, so that in `check`, where that one is
 * loaded first, this one is not loaded at all.  plain.map lists what it exports.  Here is what those files need.
 */
#include <dlfcn.h>
#include <string.h>

#include "rt/copy/lanes.h"
#include "rt/real.h"
#include "rt/rt.h"

RT_EXPORT extern char __heddle_checked;
char __heddle_checked;

RT_EXPORT void __heddle_access(void);
void __heddle_access(void)
{
        __builtin_trap(); /* only bodies that are checked call it */
}

RT_EXPORT void __heddle_access_at(void);
void __heddle_access_at(void)
{
        __builtin_trap();
}

void *rt_real(const char *name)
{
        return dlsym(RTLD_NEXT, name);
}

RT_EXPORT void *__tsan_memcpy(void *dst, const void *src, size_t n);
void *__tsan_memcpy(void *dst, const void *src, size_t n)
{
        return memcpy(dst, src, n);
}

RT_EXPORT void *__tsan_memmove(void *dst, const void *src, size_t n);
void *__tsan_memmove(void *dst, const void *src, size_t n)
{
        return memmove(dst, src, n);
}

RT_EXPORT void *__tsan_memset(void *dst, int c, size_t n);
void *__tsan_memset(void *dst, int c, size_t n)
{
        return memset(dst, c, n);
}

static void copy(void *to, const void *from, size_t size, uintptr_t site)
{
        (void)site;
        memcpy(to, from, size);
}

LANES(copy)

RT_EXPORT void __heddle_not_covered(const char *intrinsic);
void __heddle_not_covered(const char *intrinsic)
{
        (void)intrinsic;
}
