/*
 * The str* functions: each reports exactly what it is about to read and write, terminators and the first difference
 * included, as one transition, and then does it at once.
 *
 * What they touch depends on what they find, and others may change that while the thread waits for its turn.  So the
 * footprint is computed again after the report; if it has grown, the call is reported again and waits for another turn.
 *
 * The rules of memory.c hold here too.  Left out: strtok, whose state is libc's; strtok_r, strsep, strcoll, the wide
 * characters and what prints or reads, all of which access memory unseen.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rt/bytes.h"
#include "rt/heap.h"
#include "rt/string.h"

char *__strcpy_chk(char *dst, const char *src, size_t room);
char *__stpcpy_chk(char *dst, const char *src, size_t room);
char *__strncpy_chk(char *dst, const char *src, size_t n, size_t room);
char *__stpncpy_chk(char *dst, const char *src, size_t n, size_t room);
char *__strcat_chk(char *dst, const char *src, size_t room);
char *__strncat_chk(char *dst, const char *src, size_t n, size_t room);
char *__strdup(const char *s);
char *__strndup(const char *s, size_t n);

static bool covers(const struct access_part *old, const struct access_part *now)
{
        for (unsigned i = 0; i < STRING_PARTS; i++) {
                uintptr_t o = (uintptr_t)old[i].addr, a = (uintptr_t)now[i].addr;

                if (now[i].size && (a < o || a + now[i].size > o + old[i].size))
                        return false;
        }
        return true;
}

void string_report(string_foot *foot, const void *a, const void *b, size_t n, uintptr_t site)
{
        struct access_part part[2][STRING_PARTS];
        unsigned turn = 0;

        if (!string_seen(site))
                return;
        bytes_fill(part, 0, sizeof(part));
        foot(part[0], a, b, n);
        do {
                access_parts(part[turn], STRING_PARTS, site);
                turn = !turn;
                foot(part[turn], a, b, n);
        } while (!covers(part[!turn], part[turn]));
}

static void set(struct access_part *part, uint32_t op, const void *addr, size_t size)
{
        part->op = op;
        part->addr = addr;
        part->size = size;
}

/* The functions themselves, on memory as it is now. */

static size_t length(const char *s, size_t max)
{
        size_t n = 0;

        while (n < max && s[n])
                n++;
        return n;
}

/* Bytes read of a string when at most max may be. */
static size_t extent(const char *s, size_t max)
{
        size_t n = length(s, max);

        return n < max ? n + 1 : n;
}

/* The first byte equal to c, or the terminator. */
static const char *find(const char *s, char c)
{
        while (*s && *s != c)
                s++;
        return s;
}

/* The length of the prefix that has only (or, if not `in`, none) of the characters of the set. */
static size_t span(const char *s, const char *chars, bool in)
{
        size_t n = 0;

        while (s[n] && (*find(chars, s[n]) != 0) == in)
                n++;
        return n;
}

/* Position of the first difference or the common end, max if there is none before. */
static size_t differ(const unsigned char *a, const unsigned char *b, size_t max, bool fold)
{
        size_t n = 0;

        for (; n < max; n++) {
                int x = fold ? tolower(a[n]) : a[n], y = fold ? tolower(b[n]) : b[n];

                if (x != y || !a[n])
                        break;
        }
        return n;
}

static int compare(const char *a, const char *b, size_t max, bool fold)
{
        const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
        size_t n = differ(p, q, max, fold);

        if (n == max)
                return 0;
        return fold ? tolower(p[n]) - tolower(q[n]) : p[n] - q[n];
}

/* The needle's first place in the string; *end: what was read of the string. */
static const char *search(const char *s, const char *needle, const char **end)
{
        for (*end = s;; s++) {
                size_t n = 0;

                while (needle[n] && s[n] == needle[n])
                        n++;
                if (!needle[n]) {
                        *end = *end > s + n ? *end : s + n;
                        return s;
                }
                *end = *end > s + n + 1 ? *end : s + n + 1;
                if (!s[n])
                        return NULL;
        }
}

/* Footprints. */

static void foot_whole(struct access_part *part, const void *a, const void *b, size_t n)
{
        (void)b;
        set(&part[0], OP_READ, a, extent(a, n));
}

static void foot_find(struct access_part *part, const void *a, const void *b, size_t n)
{
        (void)b;
        set(&part[0], OP_READ, a, (size_t)(find(a, (char)n) - (const char *)a) + 1);
}

static void foot_span(struct access_part *part, const void *a, const void *b, size_t in)
{
        set(&part[0], OP_READ, a, span(a, b, in) + 1);
        set(&part[1], OP_READ, b, extent(b, SIZE_MAX));
}

static void foot_compare(struct access_part *part, const void *a, const void *b, size_t n)
{
        size_t at = differ(a, b, n, false), read = at < n ? at + 1 : n;

        set(&part[0], OP_READ, a, read);
        set(&part[1], OP_READ, b, read);
}

static void foot_compare_fold(struct access_part *part, const void *a, const void *b, size_t n)
{
        size_t at = differ(a, b, n, true), read = at < n ? at + 1 : n;

        set(&part[0], OP_READ, a, read);
        set(&part[1], OP_READ, b, read);
}

static void foot_search(struct access_part *part, const void *a, const void *b, size_t n)
{
        const char *end;

        (void)n;
        search(a, b, &end);
        set(&part[0], OP_READ, a, (size_t)(end - (const char *)a));
        set(&part[1], OP_READ, b, extent(b, SIZE_MAX));
}

static void foot_copy(struct access_part *part, const void *dst, const void *src, size_t n)
{
        size_t size = extent(src, n);

        set(&part[0], OP_READ, src, size);
        set(&part[1], OP_WRITE, dst, size);
}

static void foot_copy_padded(struct access_part *part, const void *dst, const void *src, size_t n)
{
        set(&part[0], OP_READ, src, extent(src, n));
        set(&part[1], OP_WRITE, dst, n);
}

static void foot_append(struct access_part *part, const void *dst, const void *src, size_t n)
{
        size_t at = length(dst, SIZE_MAX);

        set(&part[0], OP_READ, src, extent(src, n));
        set(&part[1], OP_READ, dst, at + 1);
        set(&part[2], OP_WRITE, (const char *)dst + at, length(src, n) + 1);
}

/* Deeds that write.  `room` is what a fortified caller knows of the destination, SIZE_MAX in plain calls. */

static char *copy(char *dst, const char *src, size_t room, uintptr_t site)
{
        size_t n;

        string_report(foot_copy, dst, src, SIZE_MAX, site);
        n = length(src, SIZE_MAX);
        if (n >= room)
                string_overflow(site);
        bytes_copy(dst, src, n + 1);
        return dst + n;
}

static char *copy_padded(char *dst, const char *src, size_t n, size_t room, uintptr_t site)
{
        size_t len;

        if (n > room)
                string_overflow(site);
        string_report(foot_copy_padded, dst, src, n, site);
        len = length(src, n);
        bytes_copy(dst, src, len);
        bytes_fill(dst + len, 0, n - len);
        return dst + len;
}

static char *append(char *dst, const char *src, size_t max, size_t room, uintptr_t site)
{
        size_t at, n;

        string_report(foot_append, dst, src, max, site);
        at = length(dst, SIZE_MAX);
        n = length(src, max);
        if (room != SIZE_MAX && at + n >= room)
                string_overflow(site);
        bytes_copy(dst + at, src, n);
        dst[at + n] = 0;
        return dst;
}

static char *duplicate(const char *s, size_t max, uintptr_t site)
{
        size_t n;
        char *p;

        string_report(foot_whole, s, NULL, max, site);
        n = length(s, max);
        p = heap_is_target() ? heap_alloc(0, n + 1, HEAP_MALLOC, site) : malloc(n + 1);
        if (!p)
                return NULL;
        bytes_copy(p, s, n);
        p[n] = 0;
        return p;
}

/* The exported names. */

RT_EXPORT size_t strlen(const char *s)
{
        string_report(foot_whole, s, NULL, SIZE_MAX, RT_SITE());
        return length(s, SIZE_MAX);
}

RT_EXPORT size_t strnlen(const char *s, size_t max)
{
        string_report(foot_whole, s, NULL, max, RT_SITE());
        return length(s, max);
}

RT_EXPORT char *strcpy(char *restrict dst, const char *restrict src)
{
        copy(dst, src, SIZE_MAX, RT_SITE());
        return dst;
}

RT_EXPORT char *stpcpy(char *restrict dst, const char *restrict src)
{
        return copy(dst, src, SIZE_MAX, RT_SITE());
}

RT_EXPORT char *strncpy(char *restrict dst, const char *restrict src, size_t n)
{
        copy_padded(dst, src, n, SIZE_MAX, RT_SITE());
        return dst;
}

RT_EXPORT char *stpncpy(char *restrict dst, const char *restrict src, size_t n)
{
        return copy_padded(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT char *strcat(char *restrict dst, const char *restrict src)
{
        return append(dst, src, SIZE_MAX, SIZE_MAX, RT_SITE());
}

RT_EXPORT char *strncat(char *restrict dst, const char *restrict src, size_t n)
{
        return append(dst, src, n, SIZE_MAX, RT_SITE());
}

RT_EXPORT int strcmp(const char *a, const char *b)
{
        string_report(foot_compare, a, b, SIZE_MAX, RT_SITE());
        return compare(a, b, SIZE_MAX, false);
}

RT_EXPORT int strncmp(const char *a, const char *b, size_t n)
{
        string_report(foot_compare, a, b, n, RT_SITE());
        return compare(a, b, n, false);
}

RT_EXPORT int strcasecmp(const char *a, const char *b)
{
        string_report(foot_compare_fold, a, b, SIZE_MAX, RT_SITE());
        return compare(a, b, SIZE_MAX, true);
}

RT_EXPORT int strncasecmp(const char *a, const char *b, size_t n)
{
        string_report(foot_compare_fold, a, b, n, RT_SITE());
        return compare(a, b, n, true);
}

RT_EXPORT char *strchrnul(const char *s, int c)
{
        string_report(foot_find, s, NULL, (unsigned char)c, RT_SITE());
        return (char *)(uintptr_t)find(s, (char)c);
}

static char *find_or_null(const char *s, char c, uintptr_t site)
{
        const char *p;

        string_report(foot_find, s, NULL, (unsigned char)c, site);
        p = find(s, c);
        return *p == c ? (char *)(uintptr_t)p : NULL;
}

static char *find_last(const char *s, char c, uintptr_t site)
{
        const char *last = NULL;

        string_report(foot_whole, s, NULL, SIZE_MAX, site);
        for (;; s++) {
                if (*s == c)
                        last = s;
                if (!*s)
                        return (char *)(uintptr_t)last;
        }
}

RT_EXPORT char *strchr(const char *s, int c)
{
        return find_or_null(s, (char)c, RT_SITE());
}

RT_EXPORT char *index(const char *s, int c)
{
        return find_or_null(s, (char)c, RT_SITE());
}

RT_EXPORT char *strrchr(const char *s, int c)
{
        return find_last(s, (char)c, RT_SITE());
}

RT_EXPORT char *rindex(const char *s, int c)
{
        return find_last(s, (char)c, RT_SITE());
}

RT_EXPORT char *strstr(const char *s, const char *needle)
{
        const char *end;

        string_report(foot_search, s, needle, 0, RT_SITE());
        return (char *)(uintptr_t)search(s, needle, &end);
}

RT_EXPORT size_t strspn(const char *s, const char *accept)
{
        string_report(foot_span, s, accept, true, RT_SITE());
        return span(s, accept, true);
}

RT_EXPORT size_t strcspn(const char *s, const char *reject)
{
        string_report(foot_span, s, reject, false, RT_SITE());
        return span(s, reject, false);
}

RT_EXPORT char *strpbrk(const char *s, const char *accept)
{
        string_report(foot_span, s, accept, false, RT_SITE());
        s += span(s, accept, false);
        return *s ? (char *)(uintptr_t)s : NULL;
}

/* The names with underscores are what old headers make of strdup. */
RT_EXPORT char *strdup(const char *s)
{
        return duplicate(s, SIZE_MAX, RT_SITE());
}

RT_EXPORT char *__strdup(const char *s)
{
        return duplicate(s, SIZE_MAX, RT_SITE());
}

RT_EXPORT char *strndup(const char *s, size_t n)
{
        return duplicate(s, n, RT_SITE());
}

RT_EXPORT char *__strndup(const char *s, size_t n)
{
        return duplicate(s, n, RT_SITE());
}

RT_EXPORT char *__strcpy_chk(char *dst, const char *src, size_t room)
{
        copy(dst, src, room, RT_SITE());
        return dst;
}

RT_EXPORT char *__stpcpy_chk(char *dst, const char *src, size_t room)
{
        return copy(dst, src, room, RT_SITE());
}

RT_EXPORT char *__strncpy_chk(char *dst, const char *src, size_t n, size_t room)
{
        copy_padded(dst, src, n, room, RT_SITE());
        return dst;
}

RT_EXPORT char *__stpncpy_chk(char *dst, const char *src, size_t n, size_t room)
{
        return copy_padded(dst, src, n, room, RT_SITE());
}

RT_EXPORT char *__strcat_chk(char *dst, const char *src, size_t room)
{
        return append(dst, src, SIZE_MAX, room, RT_SITE());
}

RT_EXPORT char *__strncat_chk(char *dst, const char *src, size_t n, size_t room)
{
        return append(dst, src, n, room, RT_SITE());
}
