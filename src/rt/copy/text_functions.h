/*
 * The functions that strings of bytes (string.c) and of wchar_t (wide.c) both have: lengths, copies, the last of a character.
 * Each file includes this once, with
 *
 *      CHAR         the type of a character
 *      NAME(x)      the name of a function: strcpy or wcscpy for cpy
 *      END_NAME(x)  the name of one that returns the end: stpcpy or wcpcpy
 *
 * Fortified forms count the room of the destination in characters; SIZE_MAX in plain calls.
 */
#include <stddef.h>
#include <stdint.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/copy/quick.h"
#include "rt/copy/text.h"
#include "rt/copy/work.h"
#include "rt/rt.h"

#define UNIT           sizeof(CHAR)
#define CHECKED(name)  CHECKED_(name)
#define CHECKED_(name) __##name##_chk

CHAR *CHECKED(NAME(cpy))(CHAR *dst, const CHAR *src, size_t room);
CHAR *CHECKED(END_NAME(cpy))(CHAR *dst, const CHAR *src, size_t room);
CHAR *CHECKED(NAME(ncpy))(CHAR *dst, const CHAR *src, size_t n, size_t room);
CHAR *CHECKED(END_NAME(ncpy))(CHAR *dst, const CHAR *src, size_t n, size_t room);
CHAR *CHECKED(NAME(cat))(CHAR *dst, const CHAR *src, size_t room);
CHAR *CHECKED(NAME(ncat))(CHAR *dst, const CHAR *src, size_t n, size_t room);

static size_t bytes_of(size_t room)
{
        return room < SIZE_MAX / UNIT ? room * UNIT : SIZE_MAX;
}

static size_t length(const CHAR *s, size_t max, uintptr_t site)
{
        struct text x;
        size_t n;

        if (UNIT == 1 && quick_find(s, 0, false, max, site, &n))
                return n;
        x = (struct text){.a = s, .max = max, .unit = UNIT, .site = site};
        return text_run(&x, work_length);
}

static CHAR *find_last(const CHAR *s, uint32_t c, uintptr_t site)
{
        struct text x = {.a = s, .max = SIZE_MAX, .unit = UNIT, .c = c, .past = true, .site = site};
        size_t at = text_run(&x, work_last);

        return at == SIZE_MAX ? NULL : (CHAR *)(uintptr_t)s + at;
}

static CHAR *copy(CHAR *dst, const CHAR *src, size_t room, uintptr_t site)
{
        struct text x = {.a = src, .dst = dst, .max = SIZE_MAX, .room = bytes_of(room), .unit = UNIT, .site = site};

        return dst + text_run(&x, work_copy);
}

static CHAR *copy_padded(CHAR *dst, const CHAR *src, size_t n, size_t room, uintptr_t site)
{
        struct text x = {.a = src, .dst = dst, .max = n, .room = SIZE_MAX, .unit = UNIT, .site = site};

        if (n > room)
                text_overflow(site);
        return dst + text_run(&x, work_pad);
}

static CHAR *append(CHAR *dst, const CHAR *src, size_t max, size_t room, uintptr_t site)
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

RT_NOTED(NAME(len), 1)
size_t NAME(len)(const CHAR *s)
{
        return length(s, SIZE_MAX, RT_SITE());
}

RT_NOTED(NAME(nlen), 2)
size_t NAME(nlen)(const CHAR *s, size_t max)
{
        return length(s, max, RT_SITE());
}

RT_NOTED(NAME(cpy), 2)
CHAR *NAME(cpy)(CHAR *restrict dst, const CHAR *restrict src)
{
        copy(dst, src, SIZE_MAX, RT_SITE());
        return dst;
}

RT_NOTED(END_NAME(cpy), 2)
CHAR *END_NAME(cpy)(CHAR *restrict dst, const CHAR *restrict src)
{
        return copy(dst, src, SIZE_MAX, RT_SITE());
}

RT_NOTED(NAME(ncpy), 3)
CHAR *NAME(ncpy)(CHAR *restrict dst, const CHAR *restrict src, size_t n)
{
        copy_padded(dst, src, n, SIZE_MAX, RT_SITE());
        return dst;
}

RT_NOTED(END_NAME(ncpy), 3)
CHAR *END_NAME(ncpy)(CHAR *restrict dst, const CHAR *restrict src, size_t n)
{
        return copy_padded(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_NOTED(NAME(cat), 2)
CHAR *NAME(cat)(CHAR *restrict dst, const CHAR *restrict src)
{
        return append(dst, src, SIZE_MAX, SIZE_MAX, RT_SITE());
}

RT_NOTED(NAME(ncat), 3)
CHAR *NAME(ncat)(CHAR *restrict dst, const CHAR *restrict src, size_t n)
{
        return append(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_NOTED(CHECKED(NAME(cpy)), 3)
CHAR *CHECKED(NAME(cpy))(CHAR *dst, const CHAR *src, size_t room)
{
        copy(dst, src, room, RT_SITE());
        return dst;
}

RT_NOTED(CHECKED(END_NAME(cpy)), 3)
CHAR *CHECKED(END_NAME(cpy))(CHAR *dst, const CHAR *src, size_t room)
{
        return copy(dst, src, room, RT_SITE());
}

RT_NOTED(CHECKED(NAME(ncpy)), 4)
CHAR *CHECKED(NAME(ncpy))(CHAR *dst, const CHAR *src, size_t n, size_t room)
{
        copy_padded(dst, src, n, room, RT_SITE());
        return dst;
}

RT_NOTED(CHECKED(END_NAME(ncpy)), 4)
CHAR *CHECKED(END_NAME(ncpy))(CHAR *dst, const CHAR *src, size_t n, size_t room)
{
        return copy_padded(dst, src, n, room, RT_SITE());
}

RT_NOTED(CHECKED(NAME(cat)), 3)
CHAR *CHECKED(NAME(cat))(CHAR *dst, const CHAR *src, size_t room)
{
        return append(dst, src, SIZE_MAX, room, RT_SITE());
}

RT_NOTED(CHECKED(NAME(ncat)), 4)
CHAR *CHECKED(NAME(ncat))(CHAR *dst, const CHAR *src, size_t n, size_t room)
{
        return append(dst, src, n, room, RT_SITE());
}
