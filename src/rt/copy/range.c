/* See range.h.  Invariant: the words of a range depend on its address and length only, never on what is shared. */
#include "rt/copy/range.h"

#include "rt/memory/access_part.h"
#include "rt/memory/bytes.h"
#include "rt/memory/own.h"
#include "rt/copy/step.h"
#include "rt/rt.h"

#define BULK 64u /* bytes of private words in a row that are copied at once */

uint32_t range_reach(const void *addr, size_t n, size_t reach)
{
        uintptr_t a = (uintptr_t)addr;
        size_t at = -a & 7, whole;
        uint32_t words = (uint32_t)((at & 1) + (at >> 1 & 1) + (at >> 2)); /* up to the first whole one: a bit each */

        if (reach <= at)
                for (words = 0, at = 0; at < reach && (a + at) & 7; words++)
                        at += range_word(a + at, n - at);
        if (at >= reach)
                return words;
        whole = (reach - at) / 8 + ((reach - at) % 8 != 0);
        whole = whole < (n - at) / 8 ? whole : (n - at) / 8;
        words += (uint32_t)whole;
        for (at += whole * 8; at < reach; words++)
                at += range_word(a + at, n - at);
        return words;
}

/* Bytes from here on that lie in whole private words. */
static size_t private_ahead(const unsigned char *p, size_t n)
{
        size_t at = 0;

        if ((uintptr_t)p & 7)
                return 0;
        while (n - at >= 8 && !step_shared(p + at))
                at += 8;
        return at;
}

/* A stretch that no other thread uses, of a copy whose words are those of source and destination. */
static size_t skip_private(unsigned char *dst, const unsigned char *src, size_t n, uintptr_t site)
{
        struct access_part part[2] = {{OP_READ, src, 0}, {OP_WRITE, dst, 0}};
        size_t at = ((uintptr_t)dst ^ (uintptr_t)src) & 7 ? 0 : private_ahead(src, n);

        at = at ? private_ahead(dst, at) : 0;
        if (at < BULK)
                return 0;
        part[0].size = part[1].size = at;
        step_begin(part, 2, (uint32_t)(at / 8) * 2, site);
        bytes_copy(dst, src, at);
        return at;
}

/* Bytes that were read and are not written yet; fewer than two words. */
struct stage {
        unsigned char bytes[32];
};

static void stage_put(struct stage *s, size_t at, const unsigned char *p, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                s->bytes[(at + i) % sizeof(s->bytes)] = p[i];
}

static void stage_get(const struct stage *s, size_t at, unsigned char *p, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                p[i] = s->bytes[(at + i) % sizeof(s->bytes)];
}

static void copy_up(unsigned char *dst, const unsigned char *src, size_t n, uintptr_t site)
{
        struct stage stage;
        unsigned char word[STEP_BYTES];
        size_t got = 0;

        for (size_t at = 0, size; at < n; at += size) {
                if (got == at && (size = skip_private(dst + at, src + at, n - at, site)) != 0) {
                        got += size;
                        continue;
                }
                size = range_word((uintptr_t)dst + at, n - at);
                while (got < at + size) {
                        uint32_t k = range_word((uintptr_t)src + got, n - got);
                        step_read(word, src + got, k, NULL, site);
                        stage_put(&stage, got, word, k);
                        got += k;
                }
                stage_get(&stage, at, word, (uint32_t)size);
                step_write(dst + at, word, (uint32_t)size, site);
        }
}

static void copy_down(unsigned char *dst, const unsigned char *src, size_t n, uintptr_t site)
{
        struct stage stage;
        unsigned char word[STEP_BYTES];
        size_t left = n; /* of the source */

        for (size_t at = n, size; at; at -= size) {
                size = range_last_word((uintptr_t)dst, at);
                while (left > at - size) {
                        uint32_t k = range_last_word((uintptr_t)src, left);
                        left -= k;
                        step_read(word, src + left, k, NULL, site);
                        stage_put(&stage, left, word, k);
                }
                stage_get(&stage, at - size, word, (uint32_t)size);
                step_write(dst + at - size, word, (uint32_t)size, site);
        }
}

void range_copy(void *dst, const void *src, size_t n, uintptr_t site)
{
        const struct access_part part[] = {{OP_READ, src, n}, {OP_WRITE, dst, n}};
        uint32_t steps = range_words(src, n) + range_words(dst, n);

        if (!n || !step_seen(site) || own_two(src, n, OP_WRITE, dst, n, steps, site) ||
            !step_begin(part, 2, steps, site))
                bytes_move(dst, src, n);
        else if ((uintptr_t)dst <= (uintptr_t)src || (uintptr_t)dst - (uintptr_t)src >= n)
                copy_up(dst, src, n, site);
        else
                copy_down(dst, src, n, site);
}

/* Words of p, one by one, to or from memory of the caller; with `fill` the same word every time. */
static void each_word(uint32_t op, unsigned char *p, unsigned char *own, bool fill, size_t n, uintptr_t site)
{
        struct access_part part = {op, p, 0};

        for (size_t at = 0, size; at < n; at += size, own += fill ? 0 : size) {
                part.addr = p + at;
                part.size = size = private_ahead(p + at, n - at);
                if (size >= BULK) {
                        step_begin(&part, 1, (uint32_t)(size / 8), site);
                        if (fill)
                                bytes_fill(p + at, *own, size);
                        else
                                bytes_copy(op == OP_READ ? own : p + at, op == OP_READ ? p + at : own, size);
                        continue;
                }
                size = range_word((uintptr_t)p + at, n - at);
                if (op == OP_READ)
                        step_read(own, p + at, (uint32_t)size, NULL, site);
                else
                        step_write(p + at, own, (uint32_t)size, site);
        }
}

static bool steps(uint32_t op, const void *addr, size_t n, uintptr_t site)
{
        const struct access_part part = {op, addr, n};
        uint32_t words = range_words(addr, n);

        return n && step_seen(site) && !own_two(NULL, 0, op, addr, n, words, site) && step_begin(&part, 1, words, site);
}

void range_fill(void *dst, unsigned char c, size_t n, uintptr_t site)
{
        unsigned char word[STEP_BYTES];

        if (!steps(OP_WRITE, dst, n, site)) {
                bytes_fill(dst, c, n);
                return;
        }
        bytes_fill(word, c, sizeof(word));
        each_word(OP_WRITE, dst, word, true, n, site);
}

void range_get(void *to, const void *from, size_t n, uintptr_t site)
{
        if (steps(OP_READ, from, n, site))
                each_word(OP_READ, (unsigned char *)(uintptr_t)from, to, false, n, site);
        else
                bytes_copy(to, from, n);
}

void range_put(void *to, const void *from, size_t n, uintptr_t site)
{
        if (steps(OP_WRITE, to, n, site))
                each_word(OP_WRITE, to, (unsigned char *)(uintptr_t)from, false, n, site);
        else
                bytes_copy(to, from, n);
}
