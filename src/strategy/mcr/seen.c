/* See seen.h.  A slot of zeros is empty: the hash of zeros is taken for another. */
#include "strategy/mcr/seen.h"

#include <stdlib.h>

#include "base/hash.h"

#define FIRST_BITS 12u

static struct hash128 *table(uint32_t bits)
{
        struct hash128 *t = calloc((size_t)1 << bits, sizeof *t);

        if (!t)
                memory_out();
        return t;
}

void seen_init(struct seen *s, uint64_t max)
{
        *s = (struct seen){.at = table(FIRST_BITS), .bits = FIRST_BITS, .max = max};
}

void seen_fini(struct seen *s)
{
        free(s->at);
}

static struct hash128 *slot(const struct seen *s, struct hash128 h)
{
        uint64_t mask = ((uint64_t)1 << s->bits) - 1, i = h.a & mask;

        while ((s->at[i].a || s->at[i].b) && (s->at[i].a != h.a || s->at[i].b != h.b))
                i = (i + 1) & mask;
        return &s->at[i];
}

static struct hash128 key(struct hash128 h)
{
        return h.a || h.b ? h : (struct hash128){HASH_GOLDEN, 1};
}

bool seen_has(const struct seen *s, struct hash128 h)
{
        const struct hash128 *at = slot(s, key(h));

        return at->a || at->b;
}

static void grow(struct seen *s)
{
        struct hash128 *old = s->at;
        uint64_t n = (uint64_t)1 << s->bits;

        s->at = table(++s->bits);
        for (uint64_t i = 0; i < n; i++)
                if (old[i].a || old[i].b)
                        *slot(s, old[i]) = old[i];
        free(old);
}

bool seen_add(struct seen *s, struct hash128 h)
{
        struct hash128 *at = slot(s, key(h));

        if (at->a || at->b)
                return false;
        if (s->n >= s->max)
                return true;
        *at = key(h);
        if (++s->n * 2 > (uint64_t)1 << s->bits)
                grow(s);
        return true;
}
