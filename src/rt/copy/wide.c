/* The wcs* and wmem* functions: those of text_functions.h, and what memory.c does, with units of four bytes. */
#include <stdlib.h>
#include <wchar.h>

#include "rt/memory/allocate.h"
#include "rt/memory/heap.h"
#include "rt/memory/malloc.h"
#include "rt/copy/range.h"
#include "rt/rt.h"

#define CHAR        wchar_t
#define NAME(x)     wcs##x
#define END_NAME(x) wcp##x
#include "rt/copy/text_functions.h"

wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmemset_chk(wchar_t *dst, wchar_t c, size_t n, size_t room);

static int compare(const wchar_t *a, const wchar_t *b, size_t n, bool raw, uintptr_t site)
{
        struct text x = {.a = a, .b = b, .max = n, .unit = UNIT, .raw = raw, .past = raw, .site = site};
        int32_t p, q;

        text_run(&x, work_compare);
        p = (int32_t)x.last[0];
        q = (int32_t)x.last[1];
        return (p > q) - (p < q);
}

static wchar_t *find(const wchar_t *s, wchar_t c, size_t n, bool raw, uintptr_t site)
{
        struct text x = {.a = s, .max = n, .unit = UNIT, .c = (uint32_t)c, .raw = raw, .site = site};
        size_t at = text_run(&x, work_find);

        return at == SIZE_MAX ? NULL : (wchar_t *)(uintptr_t)s + at;
}

static wchar_t *move(wchar_t *dst, const wchar_t *src, size_t n, size_t room, uintptr_t site)
{
        if (n > room)
                text_overflow(site);
        range_copy(dst, src, n * UNIT, site);
        return dst;
}

static wchar_t *fill(wchar_t *dst, wchar_t c, size_t n, size_t room, uintptr_t site)
{
        struct text x = {.dst = dst, .max = n, .room = SIZE_MAX, .unit = UNIT, .c = (uint32_t)c, .site = site};

        if (n > room)
                text_overflow(site);
        text_run(&x, work_fill);
        return dst;
}

RT_NOTED(wcscmp, 2)
int wcscmp(const wchar_t *a, const wchar_t *b)
{
        return compare(a, b, SIZE_MAX, false, RT_SITE());
}

RT_NOTED(wcsncmp, 3)
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
        return compare(a, b, n, false, RT_SITE());
}

RT_NOTED(wmemcmp, 3)
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
        return compare(a, b, n, true, RT_SITE());
}

RT_NOTED(wcschr, 2)
wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
        return find(s, c, SIZE_MAX, false, RT_SITE());
}

RT_NOTED(wmemchr, 3)
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
        return find(s, c, n, true, RT_SITE());
}

RT_NOTED(wcsrchr, 2)
wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
        return find_last(s, (uint32_t)c, RT_SITE());
}

RT_NOTED(wmemcpy, 3)
wchar_t *wmemcpy(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        return move(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_NOTED(wmempcpy, 3)
wchar_t *wmempcpy(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        return move(dst, src, n, SIZE_MAX, RT_SITE()) + n;
}

RT_NOTED(wmemmove, 3)
wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
        return move(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wmemset(wchar_t *dst, wchar_t c, size_t n)
{
        return fill(dst, c, n, SIZE_MAX, RT_SITE());
}

RT_NOTED(wcsdup, 1)
wchar_t *wcsdup(const wchar_t *s)
{
        size_t n = (length(s, SIZE_MAX, RT_SITE()) + 1) * UNIT;
        wchar_t *p = heap_is_target() ? heap_alloc(0, n, HEAP_MALLOC, RT_SITE()) : malloc(n);

        if (p)
                range_copy(p, s, n, RT_SITE());
        return p;
}

RT_NOTED(__wmemcpy_chk, 4)
wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return move(dst, src, n, room, RT_SITE());
}

RT_NOTED(__wmemmove_chk, 4)
wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return move(dst, src, n, room, RT_SITE());
}

RT_NOTED(__wmempcpy_chk, 4)
wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return move(dst, src, n, room, RT_SITE()) + n;
}

RT_EXPORT wchar_t *__wmemset_chk(wchar_t *dst, wchar_t c, size_t n, size_t room)
{
        return fill(dst, c, n, room, RT_SITE());
}
