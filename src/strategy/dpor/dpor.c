/*
 * Dynamic partial order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic
 * partial order reduction, POPL 2014, algorithm 1).
 *
 * Each node of the path has a backtrack set: the actors that must go first from there (backtrack_sets.c).  Every race of an
 * execution adds, at the node before its earlier half, an initial of what must precede the later half, unless one is
 * there already or sleeps.
 *
 * Each Mazurkiewicz trace is run to its end once.  Redundant executions end in the target as soon as all enabled actors
 * sleep (sleep-set blocked).
 *
 * Departures: what is added is an initial of the later half's causal past (less what the earlier half happens before),
 * not of all that does not depend on the earlier half; threads that are blocked at the end race with what blocked them;
 * all values of a choice are explored from its node, one after the other, before any other actor.
 */
#include "strategy/dpor/dpor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "strategy/dpor/backtrack_sets.h"
#include "strategy/dpor/dpor_share.h"
#include "strategy/dpor/dpor_tree.h"
#include "strategy/makers.h"

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
        if (!d->n_root)
                out->flags |= WIRE_CUT_LOOPS | WIRE_FAIR;
        return r;
}

/* learn() */

static bool widen(void *arg, uint32_t actors)
{
        return dpor_widen(arg, actors);
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

static void dpor_save(const struct strategy *base, struct stream *out)
{
        const struct dpor *d = (const struct dpor *)base;

        dpor_save_upto(d, d->path.nodes.n, out);
}

static void dpor_destroy(struct strategy *base)
{
        dpor_fini((struct dpor *)base);
        free(base);
}

static const struct persist_ops dpor_persist = {.format = "dpor", .save = dpor_save, .load = dpor_load};

static const struct strategy_ops dpor_ops = {
        .next = dpor_next,
        .learn = dpor_learn,
        .reset = dpor_reset,
        .destroy = dpor_destroy,
        .persist = &dpor_persist,
        .tree = &dpor_tree,
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

struct strategy *dpor_make(const struct config *config, bool blocks)
{
        (void)config;
        (void)blocks;
        return dpor_create();
}
