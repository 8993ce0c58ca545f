/*
 * Backtrack sets.  Every race of an execution adds, at the node before its earlier half, an initial of what must precede the
 * later half, unless one is there already or sleeps (Abdulla, Aronis, Jonsson, Sagonas 2014, algorithm 1).
 *
 * Races with the transition of a common node (share.h) are written to `common`, for the other workers.
 */
#include "strategy/dpor/backtrack_sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "hb/initials.h"
#include "strategy/dpor/path_share.h"
#include "strategy/dpor/wakeup_tree.h"

static bool bit_test(const uint64_t *w, uint32_t i)
{
        return bitset_has(w, i);
}

uint64_t *dpor_backtrack(struct dpor *d, uint32_t i)
{
        return &d->backtrack.at[(uint64_t)i * d->words];
}

/* The transition with which the actor of sleeper s at node i is an initial of a race of `actor` with the node. */
static uint32_t first_of(const struct dpor *d, uint32_t i, uint32_t actor, uint32_t s)
{
        const struct path *p = &d->path;
        uint32_t r = p->sleepers.at[p->nodes.at[i].sleep + s].actor, t = causality_after(&p->causality, r, i);

        return t != CAUSALITY_NONE || r != actor || p->causality.pending ? t : p->nodes.n - 1;
}

/* A race with the transition of common node i: these are its initials, and `add` the one to be run from there. */
static void tell_race(struct dpor *d, uint32_t i, const uint64_t *initials, uint32_t add)
{
        path_put_race(&d->path, i, initials, NULL, d->words, add, &d->common);
        stream_put_array(&d->common, NULL, 0, sizeof(uint32_t));
        wakeup_tree_put_none(&d->common);
}

bool dpor_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        struct dpor *d = arg;
        uint64_t *bits = d->initials, *back;
        const struct path_node *n;
        uint32_t add = UINT32_MAX;

        n = &d->path.nodes.at[i];
        if (n->decision < d->n_root)
                return true; /* nothing else is run from there */
        back = dpor_backtrack(d, i);
        memset(bits, 0, d->words * sizeof *bits);
        causality_initials(&d->path.causality, i, actor, past, bits);
        for (uint32_t w = 0; w < d->words; w++) {
                if (bits[w] & back[w])
                        return true;
                if (bits[w] && add == UINT32_MAX)
                        add = w * 64 + (uint32_t)__builtin_ctzll(bits[w]);
        }
        for (uint32_t s = 0; s < n->n_sleep; s++)
                if (bit_test(bits, d->path.sleepers.at[n->sleep + s].actor) &&
                    path_covers(&d->path, &d->path.sleepers.at[n->sleep + s], first_of(d, i, actor, s)))
                        return true;
        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = back[w]; b; b &= b - 1)
                        if (causality_weak(&d->path.causality, i, w * 64 + (uint32_t)__builtin_ctzll(b)) !=
                            CAUSALITY_NONE)
                                return true;
        if (bit_test(bits, actor))
                add = actor;
        if (add == UINT32_MAX)
                return true;
        bitset_add(back, add);
        if (i < d->own)
                tell_race(d, i, bits, add);
        return true;
}

bool dpor_widen(struct dpor *d, uint32_t actors)
{
        uint32_t words = (actors + 63) / 64, nodes = d->path.nodes.n;
        uint64_t *wide;

        if (words <= d->words)
                return true;
        wide = calloc((size_t)(nodes + 64) * words, sizeof *wide);
        if (!wide)
                return false;
        for (uint32_t i = 0; i < nodes; i++)
                memcpy(&wide[(size_t)i * words], &d->backtrack.at[(size_t)i * d->words], d->words * sizeof *wide);
        free(d->backtrack.at);
        d->backtrack.at = wide;
        d->backtrack.n = nodes * words;
        d->backtrack.room = (nodes + 64) * words;
        free(d->initials);
        d->initials = calloc(words, sizeof *d->initials);
        d->words = words;
        return d->initials != NULL;
}

bool dpor_pushed(void *arg, uint32_t i)
{
        struct dpor *d = arg;

        if (!vec_reserve(&d->backtrack, d->words))
                return false;
        d->backtrack.n += d->words;
        memset(dpor_backtrack(d, i), 0, d->words * sizeof(uint64_t));
        return true;
}

bool dpor_taken(void *arg, uint32_t i)
{
        struct dpor *d = arg;
        uint32_t actor = d->path.nodes.at[i].actor;

        bitset_add(dpor_backtrack(d, i), actor);
        return true;
}

/* The actor must go first from common node i, too. */
static void tell_open(struct dpor *d, uint32_t i, uint32_t actor)
{
        path_put_open(i, actor, &d->common);
        stream_put_array(&d->common, NULL, 0, sizeof(uint32_t));
        wakeup_tree_put_none(&d->common);
}

bool dpor_open(void *arg, uint32_t i, uint32_t actor)
{
        struct dpor *d = arg;
        uint64_t *back = dpor_backtrack(d, i);

        if (d->path.nodes.at[i].decision < d->n_root || actor >= d->words * 64 || bit_test(back, actor))
                return true;
        bitset_add(back, actor);
        if (i < d->own)
                tell_open(d, i, actor);
        return true;
}

void dpor_reset(struct strategy *base)
{
        struct dpor *d = (struct dpor *)base;

        path_reset(&d->path);
        stream_reset(&d->common); /* of what is forgotten */
        d->backtrack.n = d->own = 0;
}

void dpor_save_upto(const struct dpor *d, uint32_t n, struct stream *out)
{
        path_save(&d->path, n, out);
        stream_put_u32(out, d->own);
        stream_put_u32(out, d->words);
        stream_put(out, d->backtrack.at, (size_t)n * d->words * sizeof *d->backtrack.at);
}

static bool load(struct dpor *d, struct stream *in)
{
        uint64_t n;

        if (!path_load(&d->path, in))
                return false;
        d->own = stream_get_max(in, d->path.nodes.n);
        d->words = stream_get_max(in, WIRE_MAX_THREADS / 64);
        n = (uint64_t)d->path.nodes.n * d->words;
        free(d->initials);
        d->initials = calloc(d->words + 1, sizeof *d->initials);
        d->backtrack.n = 0;
        if (!d->initials || n > UINT32_MAX || !vec_reserve(&d->backtrack, (uint32_t)n + 1))
                return false;
        stream_get(in, d->backtrack.at, n * sizeof *d->backtrack.at);
        d->backtrack.n = (uint32_t)n;
        for (uint32_t i = 0; i < d->path.nodes.n; i++)
                if (d->path.nodes.at[i].actor >= d->words * 64)
                        return false;
        for (uint32_t i = 0; i < d->path.sleepers.n; i++)
                if (d->path.sleepers.at[i].actor >= d->words * 64)
                        return false;
        return !in->failed;
}

int dpor_load(struct strategy *base, struct stream *in)
{
        if (load((struct dpor *)base, in))
                return 0;
        dpor_reset(base);
        return -EINVAL;
}

bool dpor_init(struct dpor *d)
{
        *d = (struct dpor){0};
        return path_init(&d->path);
}

void dpor_fini(struct dpor *d)
{
        path_fini(&d->path);
        vec_fini(&d->backtrack);
        stream_fini(&d->common);
        free(d->initials);
}
