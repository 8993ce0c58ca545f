/* The wcs* and wmem* functions: what string.c and memory.c do, with units of four bytes. */
#include <stdlib.h>
#include <wchar.h>

#include "rt/memory/allocate.h"
#include "rt/memory/heap.h"
#include "rt/memory/malloc.h"
#include "rt/copy/range.h"
#include "rt/copy/text.h"
#include "rt/copy/work.h"
#include "rt/rt.h"

#define UNIT sizeof(wchar_t)

wchar_t *__wcscpy_chk(wchar_t *dst, const wchar_t *src, size_t room);
wchar_t *__wcpcpy_chk(wchar_t *dst, const wchar_t *src, size_t room);
wchar_t *__wcsncpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wcpncpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wcscat_chk(wchar_t *dst, const wchar_t *src, size_t room);
wchar_t *__wcsncat_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room);
wchar_t *__wmemset_chk(wchar_t *dst, wchar_t c, size_t n, size_t room);

/* Fortified forms count the room in units. */
static size_t bytes_of(size_t room)
{
        return room < SIZE_MAX / UNIT ? room * UNIT : SIZE_MAX;
}

static size_t length(const wchar_t *s, size_t max, uintptr_t site)
{
        struct text x = {.a = s, .max = max, .unit = UNIT, .site = site};

        return text_run(&x, work_length);
}

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

static wchar_t *copy(wchar_t *dst, const wchar_t *src, size_t room, uintptr_t site)
{
        struct text x = {.a = src, .dst = dst, .max = SIZE_MAX, .room = bytes_of(room), .unit = UNIT, .site = site};

        return dst + text_run(&x, work_copy);
}

static wchar_t *copy_padded(wchar_t *dst, const wchar_t *src, size_t n, size_t room, uintptr_t site)
{
        struct text x = {.a = src, .dst = dst, .max = n, .room = SIZE_MAX, .unit = UNIT, .site = site};

        if (n > room)
                text_overflow(site);
        return dst + text_run(&x, work_pad);
}

static wchar_t *append(wchar_t *dst, const wchar_t *src, size_t max, size_t room, uintptr_t site)
{
        struct text x = {.a = dst,
                         .b = src,
                         .dst = dst,
                         .max = SIZE_MAX,
                         .max_b = max,
                         .room = bytes_of(room),
                         .unit = UNIT,
                         .site = site};

        text_run(&x, work_append);
        return dst;
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

RT_EXPORT size_t wcslen(const wchar_t *s)
{
        return length(s, SIZE_MAX, RT_SITE());
}

RT_EXPORT size_t wcsnlen(const wchar_t *s, size_t max)
{
        return length(s, max, RT_SITE());
}

RT_EXPORT int wcscmp(const wchar_t *a, const wchar_t *b)
{
        return compare(a, b, SIZE_MAX, false, RT_SITE());
}

RT_EXPORT int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
        return compare(a, b, n, false, RT_SITE());
}

RT_EXPORT int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
        return compare(a, b, n, true, RT_SITE());
}

RT_EXPORT wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
        return find(s, c, SIZE_MAX, false, RT_SITE());
}

RT_EXPORT wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
        return find(s, c, n, true, RT_SITE());
}

RT_EXPORT wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
        struct text x = {.a = s, .max = SIZE_MAX, .unit = UNIT, .c = (uint32_t)c, .past = true, .site = RT_SITE()};
        size_t at = text_run(&x, work_last);

        return at == SIZE_MAX ? NULL : (wchar_t *)(uintptr_t)s + at;
}

RT_EXPORT wchar_t *wcscpy(wchar_t *restrict dst, const wchar_t *restrict src)
{
        copy(dst, src, SIZE_MAX, RT_SITE());
        return dst;
}

RT_EXPORT wchar_t *wcpcpy(wchar_t *restrict dst, const wchar_t *restrict src)
{
        return copy(dst, src, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wcsncpy(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        copy_padded(dst, src, n, SIZE_MAX, RT_SITE());
        return dst;
}

RT_EXPORT wchar_t *wcpncpy(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        return copy_padded(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wcscat(wchar_t *restrict dst, const wchar_t *restrict src)
{
        return append(dst, src, SIZE_MAX, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wcsncat(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        return append(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wmemcpy(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        return move(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wmempcpy(wchar_t *restrict dst, const wchar_t *restrict src, size_t n)
{
        return move(dst, src, n, SIZE_MAX, RT_SITE()) + n;
}

RT_EXPORT wchar_t *wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
        return move(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wmemset(wchar_t *dst, wchar_t c, size_t n)
{
        return fill(dst, c, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT wchar_t *wcsdup(const wchar_t *s)
{
        size_t n = (length(s, SIZE_MAX, RT_SITE()) + 1) * UNIT;
        wchar_t *p = heap_is_target() ? heap_alloc(0, n, HEAP_MALLOC, RT_SITE()) : malloc(n);

        if (p)
                range_copy(p, s, n, RT_SITE());
        return p;
}

RT_EXPORT wchar_t *__wcscpy_chk(wchar_t *dst, const wchar_t *src, size_t room)
{
        copy(dst, src, room, RT_SITE());
        return dst;
}

RT_EXPORT wchar_t *__wcpcpy_chk(wchar_t *dst, const wchar_t *src, size_t room)
{
        return copy(dst, src, room, RT_SITE());
}

RT_EXPORT wchar_t *__wcsncpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        copy_padded(dst, src, n, room, RT_SITE());
        return dst;
}

RT_EXPORT wchar_t *__wcpncpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return copy_padded(dst, src, n, room, RT_SITE());
}

RT_EXPORT wchar_t *__wcscat_chk(wchar_t *dst, const wchar_t *src, size_t room)
{
        return append(dst, src, SIZE_MAX, room, RT_SITE());
}

RT_EXPORT wchar_t *__wcsncat_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return append(dst, src, n, room, RT_SITE());
}

RT_EXPORT wchar_t *__wmemcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return move(dst, src, n, room, RT_SITE());
}

RT_EXPORT wchar_t *__wmemmove_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return move(dst, src, n, room, RT_SITE());
}

RT_EXPORT wchar_t *__wmempcpy_chk(wchar_t *dst, const wchar_t *src, size_t n, size_t room)
{
        return move(dst, src, n, room, RT_SITE()) + n;
}

RT_EXPORT wchar_t *__wmemset_chk(wchar_t *dst, wchar_t c, size_t n, size_t room)
{
        return fill(dst, c, n, room, RT_SITE());
}
