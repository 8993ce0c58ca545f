/*
 * seen: nothing is run twice from a state (SCALE's NotSeenBefore).
 *
 * The states are a set of hashes of 64 bits.  Two different ones may have the same: with n states the chance is about
 * n * n / 2^65, one in four million for a million states.  --cache bounds the set; a state that does not fit is not
 * remembered, which costs executions, not behaviours.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "strategy/states/filter.h"

#define FIRST_BITS 12

struct seen {
        struct filter base;
        uint64_t *slots; /* 0: free */
        uint64_t n, most;
        uint32_t bits;
};

static uint64_t key_of(const struct filter_state *s)
{
        return s->hash ? s->hash : 1;
}

static uint64_t slot_of(const struct seen *f, uint64_t key)
{
        uint64_t mask = (UINT64_C(1) << f->bits) - 1, i = hash_slot(key, f->bits);

        while (f->slots[i] && f->slots[i] != key)
                i = (i + 1) & mask;
        return i;
}

static bool grow(struct seen *f)
{
        uint64_t *old = f->slots, n = UINT64_C(1) << f->bits;

        f->slots = calloc(n * 2, sizeof *f->slots);
        if (!f->slots) {
                f->slots = old;
                return false;
        }
        f->bits++;
        for (uint64_t i = 0; i < n; i++)
                if (old[i])
                        f->slots[slot_of(f, old[i])] = old[i];
        free(old);
        return true;
}

static int reached(struct filter *base, const struct filter_state *s)
{
        struct seen *f = (struct seen *)base;
        uint64_t i;

        if (f->n * 2 >= UINT64_C(1) << f->bits && !grow(f))
                return -1;
        i = slot_of(f, key_of(s));
        if (f->slots[i])
                return 0;
        if (f->n < f->most) {
                f->slots[i] = key_of(s);
                f->n++;
        }
        return 1;
}

static void save(const struct filter *base, struct stream *out)
{
        const struct seen *f = (const struct seen *)base;

        stream_put_u64(out, f->n);
        for (uint64_t i = 0; i < UINT64_C(1) << f->bits; i++)
                if (f->slots[i])
                        stream_put_u64(out, f->slots[i]);
}

static int load(struct filter *base, struct stream *in, const uint32_t *nodes, uint32_t n_nodes)
{
        struct filter_state s = {.known = true};
        uint64_t n;

        (void)nodes, (void)n_nodes;
        base->ops->reset(base);
        for (n = stream_get_u64(in); n > 0 && !in->failed; n--) {
                s.hash = stream_get_u64(in);
                if (reached(base, &s) < 0)
                        return -1;
        }
        return in->failed ? -1 : 0;
}

static bool wanted(struct filter *base, const struct filter_state *s)
{
        const struct seen *f = (const struct seen *)base;

        return !s->known || !f->slots[slot_of(f, key_of(s))];
}

static void reset(struct filter *base)
{
        struct seen *f = (struct seen *)base;

        memset(f->slots, 0, sizeof *f->slots << f->bits);
        f->n = 0;
}

static void destroy(struct filter *base)
{
        free(((struct seen *)base)->slots);
        free(base);
}

static struct filter *create(const struct config *config)
{
        struct seen *f = calloc(1, sizeof *f);

        if (!f)
                return NULL;
        f->base.ops = &filter_seen;
        f->most = config->cache;
        f->bits = FIRST_BITS;
        f->slots = calloc((size_t)1 << FIRST_BITS, sizeof *f->slots);
        if (f->slots)
                return &f->base;
        free(f);
        return NULL;
}

const struct filter_ops filter_seen = {
        .name = "seen",
        .create = create,
        .reached = reached,
        .wanted = wanted,
        .reset = reset,
        .save = save,
        .load = load,
        .destroy = destroy,
};
