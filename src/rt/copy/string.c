/*
 * The str* functions: those of text_functions.h, and what only strings of bytes have.  Each reads and writes word by word
 * (text.h): terminators and the first difference included, and nothing behind them.
 *
 * strdup reads its string twice, as libc does: for the length, and for the copy.
 *
 * The rules of memory.c hold here too.  Not here: strtok, whose state is libc's; strtok_r, strsep, strcoll and calls that print
 * or read (rt/calls).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bitset.h"
#include "rt/memory/allocate.h"
#include "rt/memory/heap.h"
#include "rt/memory/malloc.h"
#include "rt/copy/quick.h"
#include "rt/copy/range.h"
#include "rt/notes.h"
#include "rt/rt.h"

#define CHAR        char
#define NAME(x)     str##x
#define END_NAME(x) stp##x
#include "rt/copy/text_functions.h"

#define MAX_NEEDLE 512u

char *__strdup(const char *s);
char *__strndup(const char *s, size_t n);

/* The length of the prefix of a that has only (or, if not `flag`, none) of the characters of b. */
static size_t work_span(struct text *x)
{
        uint64_t set[4] = {0};
        uint32_t v;
        size_t n = 0;

        while ((v = text_next(x, 1)) != 0)
                bitset_add(set, v);
        while ((v = text_next(x, 0)) != 0 && bitset_has(set, v) == x->flag)
                n++;
        x->last[0] = v;
        return n;
}

/* Do the last m bytes, the newest of them at `at`, equal the needle? */
static bool matches(const unsigned char *ring, size_t at, const unsigned char *needle, size_t m)
{
        for (size_t i = 0; i < m; i++)
                if (ring[(at + i + 1) % m] != needle[i])
                        return false;
        return true;
}

/* Where b begins in a; x->last[0]: b is too long for this. */
static size_t work_search(struct text *x)
{
        unsigned char needle[MAX_NEEDLE], ring[MAX_NEEDLE];
        size_t m = 0;
        uint32_t v;

        while (m < MAX_NEEDLE && (v = text_next(x, 1)) != 0)
                needle[m++] = (unsigned char)v;
        x->last[0] = m == MAX_NEEDLE;
        if (!m || x->last[0])
                return 0;
        for (size_t n = 0; (v = text_next(x, 0)) != 0; n++) {
                ring[n % m] = (unsigned char)v;
                if (n + 1 >= m && matches(ring, n, needle, m))
                        return n + 1 - m;
        }
        return SIZE_MAX;
}

/* For needles that are too long. */
static char *search_at_once(const char *s, const char *needle)
{
        rt_note_incomplete(REASON_COPY, "a call of strstr for 512 bytes or more");
        for (;; s++) {
                size_t n = 0;

                while (needle[n] && s[n] == needle[n])
                        n++;
                if (!needle[n])
                        return (char *)(uintptr_t)s;
                if (!s[n])
                        return NULL;
        }
}

static int compare(const char *a, const char *b, size_t max, bool fold, uintptr_t site)
{
        struct text x;
        int result;

        if (!fold && quick_compare(a, b, false, max, site, &result))
                return result;
        x = (struct text){.a = a, .b = b, .max = max, .unit = 1, .flag = fold, .site = site};
        text_run(&x, work_compare);
        return (int)x.last[0] - (int)x.last[1];
}

static char *find(const char *s, int c, bool end, uintptr_t site)
{
        struct text x;
        size_t at;

        if (quick_find(s, c, false, SIZE_MAX, site, &at))
                return s[at] == (char)c || end ? (char *)(uintptr_t)s + at : NULL;
        x = (struct text){.a = s, .max = SIZE_MAX, .unit = 1, .c = (unsigned char)c, .flag = end, .site = site};
        at = text_run(&x, work_find);
        return at == SIZE_MAX ? NULL : (char *)(uintptr_t)s + at;
}

static size_t span(const char *s, const char *chars, bool in, bool *ended, uintptr_t site)
{
        struct text x = {.a = s, .b = chars, .max = SIZE_MAX, .unit = 1, .flag = in, .site = site};
        size_t n = text_run(&x, work_span);

        *ended = !x.last[0];
        return n;
}

static char *duplicate(const char *s, size_t max, uintptr_t site)
{
        size_t n = length(s, max, site);
        char *p = heap_is_target() ? heap_alloc(0, n + 1, HEAP_MALLOC, site) : malloc(n + 1);

        if (!p)
                return NULL;
        range_copy(p, s, max == SIZE_MAX ? n + 1 : n, site);
        if (max != SIZE_MAX)
                p[n] = 0;
        return p;
}

/* The exported names. */

RT_NOTED(strcmp, 2)
int strcmp(const char *a, const char *b)
{
        return compare(a, b, SIZE_MAX, false, RT_SITE());
}

RT_NOTED(strncmp, 3)
int strncmp(const char *a, const char *b, size_t n)
{
        return compare(a, b, n, false, RT_SITE());
}

RT_NOTED(strcasecmp, 2)
int strcasecmp(const char *a, const char *b)
{
        return compare(a, b, SIZE_MAX, true, RT_SITE());
}

RT_NOTED(strncasecmp, 3)
int strncasecmp(const char *a, const char *b, size_t n)
{
        return compare(a, b, n, true, RT_SITE());
}

RT_NOTED(strchrnul, 2)
char *strchrnul(const char *s, int c)
{
        return find(s, c, true, RT_SITE());
}

RT_NOTED(strchr, 2)
char *strchr(const char *s, int c)
{
        return find(s, c, false, RT_SITE());
}

RT_NOTED(index, 2)
char *index(const char *s, int c)
{
        return find(s, c, false, RT_SITE());
}

RT_NOTED(strrchr, 2)
char *strrchr(const char *s, int c)
{
        return find_last(s, (unsigned char)c, RT_SITE());
}

RT_NOTED(rindex, 2)
char *rindex(const char *s, int c)
{
        return find_last(s, (unsigned char)c, RT_SITE());
}

RT_NOTED(strstr, 2)
char *strstr(const char *s, const char *needle)
{
        struct text x = {.a = s, .b = needle, .max = SIZE_MAX, .unit = 1, .site = RT_SITE()};
        size_t at = text_run(&x, work_search);

        if (x.last[0])
                return search_at_once(s, needle);
        return at == SIZE_MAX ? NULL : (char *)(uintptr_t)s + at;
}

RT_NOTED(strspn, 2)
size_t strspn(const char *s, const char *accept)
{
        bool ended;

        return span(s, accept, true, &ended, RT_SITE());
}

RT_NOTED(strcspn, 2)
size_t strcspn(const char *s, const char *reject)
{
        bool ended;

        return span(s, reject, false, &ended, RT_SITE());
}

RT_NOTED(strpbrk, 2)
char *strpbrk(const char *s, const char *accept)
{
        bool ended;
        size_t at = span(s, accept, false, &ended, RT_SITE());

        return ended ? NULL : (char *)(uintptr_t)s + at;
}

/* The names with underscores are what old headers make of strdup. */
RT_NOTED(strdup, 1)
char *strdup(const char *s)
{
        return duplicate(s, SIZE_MAX, RT_SITE());
}

RT_NOTED(__strdup, 1)
char *__strdup(const char *s)
{
        return duplicate(s, SIZE_MAX, RT_SITE());
}

RT_NOTED(strndup, 2)
char *strndup(const char *s, size_t n)
{
        return duplicate(s, n, RT_SITE());
}

RT_NOTED(__strndup, 2)
char *__strndup(const char *s, size_t n)
{
        return duplicate(s, n, RT_SITE());
}
