/*
 * Dynamic partial order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic
 * partial order reduction, POPL 2014, algorithm 1).
 *
 * Beside each node of the path stands the set of actors that must go first from there (`backtrack`).  Every race of an
 * execution adds, at the node before its earlier half, an initial of what must precede the later half, unless one is
 * there already or sleeps.
 *
 * Each Mazurkiewicz trace is run to its end once.  Runs that turn out to be redundant end in the target as soon as all
 * enabled actors sleep.
 *
 * Departures: what is added is an initial of the later half's causal past (less what the earlier half happens before),
 * not of all that does not depend on the earlier half; threads that are blocked at the end race with what blocked them;
 * all answers of a choice are explored from its node, one after the other, before any other actor.
 */
#include "strategy/dpor/dpor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "strategy/dpor/dpor_share.h"
#include "strategy/dpor/dpor_tree.h"

static bool bit_test(const uint64_t *w, uint32_t i)
{
        return w[i / 64] >> (i % 64) & 1;
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
        back[add / 64] |= UINT64_C(1) << (add % 64);
        if (i < d->own)
                dpor_tell_race(d, i, bits, add);
        return true;
}

/* next(): the deepest node with something left to do. */

/* An actor that must still go first from node i, or UINT32_MAX. */
static uint32_t untried(struct dpor *d, uint32_t i)
{
        const struct path_node *n = &d->path.nodes.at[i];
        const uint64_t *back = dpor_backtrack(d, i);

        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = back[w]; b; b &= b - 1) {
                        uint32_t a = w * 64 + (uint32_t)__builtin_ctzll(b);
                        if (a != n->actor && !path_sleeps(&d->path, n, a))
                                return a;
                }
        return UINT32_MAX;
}

/* Turns the deepest node that has something left to do.  1, or 0 when none has. */
static int advance(struct dpor *d)
{
        struct path *p = &d->path;

        if (!p->started) {
                p->started = true;
                return 1;
        }
        for (uint32_t i = p->nodes.n; i-- > d->own;) {
                bool more = p->nodes.at[i].more;
                uint32_t actor = more ? 0 : untried(d, i);

                if (actor == UINT32_MAX)
                        continue;
                d->backtrack.n = (i + 1) * d->words;
                return (more ? path_turn_branch(p, i) : path_turn(p, i, actor)) ? 1 : -ENOMEM;
        }
        path_clear(p);
        d->backtrack.n = d->own = 0;
        return 0;
}

static int dpor_next(struct strategy *base, struct schedule *out)
{
        struct dpor *d = (struct dpor *)base;
        int r = d->path.given ? 1 : advance(d);

        if (r > 0)
                r = path_schedule(&d->path, out);
        if (r > 0 && !d->path.nodes.n && d->n_root) {
                memcpy(out->prefix, d->root, d->n_root * sizeof *out->prefix);
                out->n_prefix = d->n_root;
        }
        return r;
}

/* learn() */

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

static bool widen(void *arg, uint32_t actors)
{
        return dpor_widen(arg, actors);
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

        dpor_backtrack(d, i)[actor / 64] |= UINT64_C(1) << (actor % 64);
        return true;
}

bool dpor_open(void *arg, uint32_t i, uint32_t actor)
{
        struct dpor *d = arg;
        uint64_t *back = dpor_backtrack(d, i);

        if (d->path.nodes.at[i].decision < d->n_root || actor >= d->words * 64 || bit_test(back, actor))
                return true;
        back[actor / 64] |= UINT64_C(1) << (actor % 64);
        if (i < d->own)
                dpor_tell_open(d, i, actor);
        return true;
}

/* The decisions of the root have no other values.  Has node i others? */
static bool fix(struct dpor *d, uint32_t i)
{
        struct path_node *n = &d->path.nodes.at[i];

        n->more = 0;
        for (uint32_t k = 0; k < n->n_parts; k++) {
                struct path_part *part = &d->path.parts.at[n->part + k];

                if (n->decision + k < d->n_root)
                        part->next_choice = WIRE_NO_CHOICE;
                n->more |= part->next_choice != WIRE_NO_CHOICE;
        }
        return n->decision + n->n_parts > d->n_root;
}

static int dpor_learn(struct strategy *base, const struct trace *t)
{
        static const struct path_hooks hooks = {
                .widen = widen, .pushed = dpor_pushed, .taken = dpor_taken, .race = dpor_race, .open = dpor_open};
        struct dpor *d = (struct dpor *)base;
        int r = path_learn(&d->path, t, &hooks, d);

        if (r > 0)
                d->backtrack.n = d->path.nodes.n * d->words;
        for (d->own = d->n_root ? 0 : d->own; d->n_root && d->own < d->path.nodes.n; d->own++)
                if (fix(d, d->own))
                        break;
        return r;
}

static uint32_t dpor_known(const struct strategy *base)
{
        return path_known(&((const struct dpor *)base)->path);
}

static void dpor_reset(struct strategy *base)
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

static void dpor_save(const struct strategy *base, struct stream *out)
{
        const struct dpor *d = (const struct dpor *)base;

        dpor_save_upto(d, d->path.nodes.n, out);
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

static int dpor_load(struct strategy *base, struct stream *in)
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

static void dpor_destroy(struct strategy *base)
{
        dpor_fini((struct dpor *)base);
        free(base);
}

static const struct strategy_ops dpor_ops = {
        .name = "dpor",
        .next = dpor_next,
        .learn = dpor_learn,
        .known = dpor_known,
        .reset = dpor_reset,
        .save = dpor_save,
        .load = dpor_load,
        .path = dpor_path,
        .level = dpor_level,
        .destroy = dpor_destroy,
        .share = &dpor_share,
};

struct strategy *dpor_create(void)
{
        struct dpor *d = calloc(1, sizeof *d);

        if (!d || !dpor_init(d)) {
                free(d);
                return NULL;
        }
        d->base.ops = &dpor_ops;
        return &d->base;
}

struct strategy *dpor_create_from(const struct wire_decision *root, uint32_t n)
{
        struct strategy *s = dpor_create();

        if (s) {
                ((struct dpor *)s)->root = root;
                ((struct dpor *)s)->n_root = n;
        }
        return s;
}
