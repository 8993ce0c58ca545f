/* See quick.h.  A word that has a byte of the string may be read as a whole: it lies in one page. */
#include "rt/copy/quick.h"

#include "op/op.h"
#include "rt/copy/range.h"
#include "rt/copy/step.h"
#include "rt/memory/bytes.h"
#include "rt/memory/own.h"

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* The lowest bit that is set is in the first byte that is 0. */
static inline uint64_t zeros(uint64_t word)
{
        return (word - EACH_BYTE) & ~word & EACH_BYTE << 7;
}

/* Bytes before the first c, or 0 unless `raw`. */
static inline size_t before(const unsigned char *s, unsigned char c, bool raw, size_t max)
{
        size_t n = 0;

        for (; n < max && (uintptr_t)(s + n) & 7; n++)
                if (s[n] == c || (!raw && !s[n]))
                        return n;
        for (; n < max; n += 8) {
                uint64_t word = *(const bytes_word *)(s + n), hit = zeros(word ^ c * EACH_BYTE);

                hit |= raw ? 0 : zeros(word);
                if (hit) {
                        n += (size_t)__builtin_ctzll(hit) / 8;
                        break;
                }
        }
        return n < max ? n : max;
}

/* Bytes that a call may reach from here on. */
static size_t limit_of(const void *s, size_t max)
{
        size_t most = UINTPTR_MAX - (uintptr_t)s;

        return max < most ? max : most;
}

bool quick_find(const void *s, int c, bool raw, size_t max, uintptr_t site, size_t *at)
{
        size_t limit = limit_of(s, max), n, used;

        if (!limit)
                return false;
        n = before(s, (unsigned char)c, raw, limit);
        used = n < limit ? n + 1 : n;
        *at = n < limit ? n : max;
        return !step_seen(site) || own_two(s, used, OP_READ, NULL, 0, range_reach(s, limit, used), site);
}

/* Bytes that are equal; those of a string end with 0. */
static inline size_t equal(const unsigned char *a, const unsigned char *b, bool raw, size_t max)
{
        size_t n = 0;

        while (raw && max - n >= 8 && *(const bytes_word *)(a + n) == *(const bytes_word *)(b + n))
                n += 8;
        while (n < max && a[n] == b[n] && (raw || a[n]))
                n++;
        return n;
}

bool quick_compare(const void *a, const void *b, bool raw, size_t max, uintptr_t site, int *result)
{
        const unsigned char *x = a, *y = b;
        size_t limit_a = limit_of(a, max), limit_b = limit_of(b, max), n, used;

        if (!max || (raw && (limit_a != max || limit_b != max)))
                return false;
        n = equal(a, b, raw, max);
        used = n < max ? n + 1 : n;
        *result = n < max ? (int)x[n] - (int)y[n] : 0;
        return !step_seen(site) || own_two(a, raw ? max : used, OP_READ, b, raw ? max : used,
                                           range_reach(a, limit_a, used) + range_reach(b, limit_b, used), site);
}
