/*
 * The mem* functions, with their fortified forms and the names that compilers give them in instrumented code.  Each reads
 * and writes its memory word by word (range.h): other threads may run in between.
 *
 * They run before anything is relocated or bound, so they call nothing but the runtime, and that only in `check`.
 * Calls from inside libc and the unwinder are never events.
 */
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "rt/arch/x86_64/stub.h"
#include "rt/loops/tracking.h"
#include "rt/memory/access_part.h"
#include "rt/copy/quick.h"
#include "rt/copy/range.h"
#include "rt/copy/step.h"
#include "rt/copy/text.h"
#include "rt/copy/work.h"
#include "rt/rt.h"
#include "rt/threads.h"

int bcmp(const void *a, const void *b, size_t n);
void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room);
void *__memmove_chk(void *dst, const void *src, size_t n, size_t room);
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room);
void *__memset_chk(void *dst, int c, size_t n, size_t room);
void __explicit_bzero_chk(void *dst, size_t n, size_t room);
void *__tsan_memcpy(void *dst, const void *src, size_t n);
void *__tsan_memmove(void *dst, const void *src, size_t n);
void *__tsan_memset(void *dst, int c, size_t n);

static void *move(void *dst, const void *src, size_t n, uintptr_t site)
{
        range_copy(dst, src, n, site);
        return dst;
}

static void *fill(void *dst, int c, size_t n, uintptr_t site)
{
        range_fill(dst, (unsigned char)c, n, site);
        return dst;
}

/* The caller promises that all n bytes are there; those behind the word with the first difference are not read. */
static int compare(const void *a, const void *b, size_t n, uintptr_t site)
{
        struct text x;
        int result;

        if (quick_compare(a, b, true, n, site, &result))
                return result;
        x = (struct text){.a = a, .b = b, .max = n, .unit = 1, .raw = true, .past = true, .site = site};
        text_run(&x, work_compare);
        return (int)x.last[0] - (int)x.last[1];
}

/* While states are compared: each step of it continues with inputs that are known. */
static void *move_known(void *dst, const void *src, size_t n, uintptr_t site)
{
        struct thread *t = rt_cur;

        t->stack.inputs = hash_mix(hash_mix(hash_mix(1, (uintptr_t)dst), (uintptr_t)src), n) | 1;
        move(dst, src, n, site);
        t->stack.inputs = 0;
        return dst;
}

RT_NOTED(memcpy, 3)
void *memcpy(void *restrict dst, const void *restrict src, size_t n)
{
        if (RT_UNLIKELY(cycle_on) && rt_cur)
                return move_known(dst, src, n, RT_SITE());
        return move(dst, src, n, RT_SITE());
}

RT_NOTED(memmove, 3)
void *memmove(void *dst, const void *src, size_t n)
{
        if (RT_UNLIKELY(cycle_on) && rt_cur)
                return move_known(dst, src, n, RT_SITE());
        return move(dst, src, n, RT_SITE());
}

RT_NOTED(mempcpy, 3)
void *mempcpy(void *restrict dst, const void *restrict src, size_t n)
{
        return (char *)move(dst, src, n, RT_SITE()) + n;
}

RT_NOTED(bcopy, 3)
void bcopy(const void *src, void *dst, size_t n)
{
        move(dst, src, n, RT_SITE());
}

RT_NOTED(memccpy, 4)
void *memccpy(void *restrict dst, const void *restrict src, int c, size_t n)
{
        struct text x = {.a = src,
                         .dst = dst,
                         .max = n,
                         .room = SIZE_MAX,
                         .unit = 1,
                         .c = (unsigned char)c,
                         .raw = true,
                         .site = RT_SITE()};
        size_t end = text_run(&x, work_until);

        return end == SIZE_MAX ? NULL : (char *)dst + end;
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

RT_NOTED(memcmp, 3)
int memcmp(const void *a, const void *b, size_t n)
{
        return compare(a, b, n, RT_SITE());
}

RT_NOTED(bcmp, 3)
int bcmp(const void *a, const void *b, size_t n)
{
        return compare(a, b, n, RT_SITE());
}

static void *find(const void *s, int c, size_t n, uintptr_t site)
{
        struct text x;
        size_t at;

        if (quick_find(s, c, true, n, site, &at))
                return at == n ? NULL : (char *)(uintptr_t)s + at;
        x = (struct text){.a = s, .max = n, .unit = 1, .c = (unsigned char)c, .raw = true, .site = site};
        at = text_run(&x, work_find);
        return at == SIZE_MAX ? NULL : (char *)(uintptr_t)s + at;
}

RT_NOTED(memchr, 3)
void *memchr(const void *s, int c, size_t n)
{
        return find(s, c, n, RT_SITE());
}

RT_NOTED(rawmemchr, 2)
void *rawmemchr(const void *s, int c)
{
        return find(s, c, SIZE_MAX, RT_SITE());
}

static const unsigned char *find_last(const unsigned char *p, unsigned char c, size_t n)
{
        for (; n; n--)
                if (p[n - 1] == c)
                        return p + n - 1;
        return NULL;
}

/* From the end on, as libc does it. */
RT_NOTED(memrchr, 3)
void *memrchr(const void *s, int c, size_t n)
{
        const unsigned char *p = s, *hit = find_last(p, (unsigned char)c, n);
        size_t from = hit ? (size_t)(hit - p) : 0;
        const struct access_part part = {OP_READ, p + from, n - from};
        unsigned char word[STEP_BYTES];

        if (!n || !step_seen(RT_SITE()) || !step_begin(&part, 1, range_words(p + from, n - from), RT_SITE()))
                return (void *)(uintptr_t)hit;
        for (uint32_t size; n; n -= size) {
                size = range_last_word((uintptr_t)p, n);
                step_read(word, p + n - size, size, NULL, RT_SITE());
                hit = find_last(word, (unsigned char)c, size);
                if (hit)
                        return (void *)(uintptr_t)(p + n - size + (hit - word));
        }
        return NULL;
}

/* Fortified forms: `room` is what the compiler knows about the destination. */

RT_NOTED(__memcpy_chk, 4)
void *__memcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
        if (n > room)
                text_overflow(RT_SITE());
        return move(dst, src, n, RT_SITE());
}

RT_NOTED(__memmove_chk, 4)
void *__memmove_chk(void *dst, const void *src, size_t n, size_t room)
{
        if (n > room)
                text_overflow(RT_SITE());
        return move(dst, src, n, RT_SITE());
}

RT_NOTED(__mempcpy_chk, 4)
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
        if (n > room)
                text_overflow(RT_SITE());
        return (char *)move(dst, src, n, RT_SITE()) + n;
}

RT_EXPORT void *__memset_chk(void *dst, int c, size_t n, size_t room)
{
        if (n > room)
                text_overflow(RT_SITE());
        return fill(dst, c, n, RT_SITE());
}

RT_EXPORT void __explicit_bzero_chk(void *dst, size_t n, size_t room)
{
        if (n > room)
                text_overflow(RT_SITE());
        fill(dst, 0, n, RT_SITE());
}

/* What newer compilers call instead in instrumented code. */

RT_NOTED(__tsan_memcpy, 3)
void *__tsan_memcpy(void *dst, const void *src, size_t n)
{
        return move(dst, src, n, RT_SITE());
}

RT_NOTED(__tsan_memmove, 3)
void *__tsan_memmove(void *dst, const void *src, size_t n)
{
        return move(dst, src, n, RT_SITE());
}

RT_EXPORT void *__tsan_memset(void *dst, int c, size_t n)
{
        return fill(dst, c, n, RT_SITE());
}
