/*
 * The mem* functions, with their fortified forms and the names that compilers give them in instrumented code: each
 * reports exactly what it is about to read and write, as one transition, and then does it at once.
 *
 * They run before anything is relocated or bound, so they call nothing but the report, and that only in `check`.
 * Calls from inside libc and the unwinder are never reported.
 */
#include <string.h>
#include <strings.h>

#include "rt/bytes.h"
#include "rt/string.h"

int bcmp(const void *a, const void *b, size_t n);
void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room);
void *__memmove_chk(void *dst, const void *src, size_t n, size_t room);
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room);
void *__memset_chk(void *dst, int c, size_t n, size_t room);
void __explicit_bzero_chk(void *dst, size_t n, size_t room);
void *__tsan_memcpy(void *dst, const void *src, size_t n);
void *__tsan_memmove(void *dst, const void *src, size_t n);
void *__tsan_memset(void *dst, int c, size_t n);
extern _Noreturn void __chk_fail(void);

bool string_seen(uintptr_t site)
{
        return rt_on() && !rt_site_in_libc(site) && !rt_site_in_unwinder(site);
}

_Noreturn void string_overflow(uintptr_t site)
{
        if (rt_on())
                rt_fail(WIRE_FAIL_ABORT, site, "*** buffer overflow detected ***: terminated");
        __chk_fail();
}

static void report_two(uint32_t op_a, const void *a, uint32_t op_b, const void *b, size_t n, uintptr_t site)
{
        struct access_part part[2];

        if (!string_seen(site))
                return;
        part[0].op = op_a;
        part[0].addr = a;
        part[0].size = n;
        part[1].op = op_b;
        part[1].addr = b;
        part[1].size = b ? n : 0;
        access_parts(part, 2, site);
}

static void *move(void *dst, const void *src, size_t n, uintptr_t site)
{
        report_two(OP_READ, src, OP_WRITE, dst, n, site);
        bytes_move(dst, src, n);
        return dst;
}

static void *fill(void *dst, int c, size_t n, uintptr_t site)
{
        report_two(OP_WRITE, dst, OP_NONE, NULL, n, site);
        bytes_fill(dst, (unsigned char)c, n);
        return dst;
}

/* All n bytes count as read, whatever the first difference: the caller promises that all are there. */
static int compare(const void *a, const void *b, size_t n, uintptr_t site)
{
        const unsigned char *p = a, *q = b;

        report_two(OP_READ, a, OP_READ, b, n, site);
        for (; n; n--, p++, q++)
                if (*p != *q)
                        return *p - *q;
        return 0;
}

static const unsigned char *find(const unsigned char *p, unsigned char c, size_t n)
{
        for (; n; n--, p++)
                if (*p == c)
                        return p;
        return NULL;
}

RT_EXPORT void *memcpy(void *restrict dst, const void *restrict src, size_t n)
{
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *memmove(void *dst, const void *src, size_t n)
{
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *mempcpy(void *restrict dst, const void *restrict src, size_t n)
{
        return (char *)move(dst, src, n, RT_SITE()) + n;
}

RT_EXPORT void bcopy(const void *src, void *dst, size_t n)
{
        move(dst, src, n, RT_SITE());
}

RT_EXPORT void *memset(void *dst, int c, size_t n)
{
        return fill(dst, c, n, RT_SITE());
}

RT_EXPORT void bzero(void *dst, size_t n)
{
        fill(dst, 0, n, RT_SITE());
}

RT_EXPORT void explicit_bzero(void *dst, size_t n)
{
        fill(dst, 0, n, RT_SITE());
}

RT_EXPORT int memcmp(const void *a, const void *b, size_t n)
{
        return compare(a, b, n, RT_SITE());
}

RT_EXPORT int bcmp(const void *a, const void *b, size_t n)
{
        return compare(a, b, n, RT_SITE());
}

static void foot_memchr(struct access_part *part, const void *a, const void *b, size_t n)
{
        const unsigned char *hit = find(a, *(const unsigned char *)b, n);

        part[0].op = OP_READ;
        part[0].addr = a;
        part[0].size = hit ? (size_t)(hit - (const unsigned char *)a) + 1 : n;
}

RT_EXPORT void *memchr(const void *s, int c, size_t n)
{
        unsigned char want = (unsigned char)c;

        string_report(foot_memchr, s, &want, n, RT_SITE());
        return (void *)(uintptr_t)find(s, want, n);
}

RT_EXPORT void *rawmemchr(const void *s, int c)
{
        unsigned char want = (unsigned char)c;

        string_report(foot_memchr, s, &want, SIZE_MAX, RT_SITE());
        return (void *)(uintptr_t)find(s, want, SIZE_MAX);
}

RT_EXPORT void *memrchr(const void *s, int c, size_t n)
{
        const unsigned char *p = s;

        report_two(OP_READ, s, OP_NONE, NULL, n, RT_SITE());
        for (; n; n--)
                if (p[n - 1] == (unsigned char)c)
                        return (void *)(uintptr_t)(p + n - 1);
        return NULL;
}

/* Fortified forms: `room` is what the compiler knows about the destination. */

RT_EXPORT void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
        if (n > room)
                string_overflow(RT_SITE());
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *__memmove_chk(void *dst, const void *src, size_t n, size_t room)
{
        if (n > room)
                string_overflow(RT_SITE());
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
        if (n > room)
                string_overflow(RT_SITE());
        return (char *)move(dst, src, n, RT_SITE()) + n;
}

RT_EXPORT void *__memset_chk(void *dst, int c, size_t n, size_t room)
{
        if (n > room)
                string_overflow(RT_SITE());
        return fill(dst, c, n, RT_SITE());
}

RT_EXPORT void __explicit_bzero_chk(void *dst, size_t n, size_t room)
{
        if (n > room)
                string_overflow(RT_SITE());
        fill(dst, 0, n, RT_SITE());
}

/* What newer compilers call instead in instrumented code. */

RT_EXPORT void *__tsan_memcpy(void *dst, const void *src, size_t n)
{
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *__tsan_memmove(void *dst, const void *src, size_t n)
{
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *__tsan_memset(void *dst, int c, size_t n)
{
        return fill(dst, c, n, RT_SITE());
}
