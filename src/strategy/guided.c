/*
 * The search for an execution that follows recorded paths.
 *
 * The target stops a thread that leaves its path (rt/sched/path.c), and says how much of all paths was followed.  First comes a
 * best-first search by chance: an execution keeps a part of the one that has followed most so far and draws the rest, at first
 * among the threads whose recorded time comes first, then among all.  Its executions are probes.  The part that is kept is
 * often all but the last few steps, sometimes little, so that no early step is final.
 *
 * It finds what it finds soon, and proves nothing.  Every second execution, and after BUDGET of them every one, is of optimal DPOR
 * over the program with its paths, for which a thread that stops is as one whose assumption does not hold: it needs few executions
 * where the paths leave little choice, and ends when no execution of the program follows the paths to the recorded failure.
 */
#include "strategy/guided.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "strategy/dpor/optimal.h"
#include "wire/path.h"

#define FRESH  100u  /* until there were so many, probes keep nothing ... */
#define HINTED 400u  /* ... and until then they trust the times, afterwards every second one does */
#define FIRST  4u    /* executions that are probes, then every second one is ... */
#define BUDGET 4000u /* ... until there were so many */
#define STALE  50u   /* probes without progress after which a shorter part is kept */

struct guided {
        struct strategy base;
        struct strategy *verify;
        uint64_t seed, n; /* executions so far */
        uint64_t best;    /* bits that the kept execution followed */
        uint64_t since;   /* probes since more was followed */
        VEC(struct wire_decision) kept;
};

static bool probes(const struct guided *g)
{
        return g->n < FIRST || (g->n < BUDGET && g->n % 2);
}

/* How many decisions of the kept execution are followed. */
static uint32_t keep(const struct guided *g, uint64_t draw)
{
        uint32_t n = g->kept.n, cut = 1 + (uint32_t)(draw >> 8) % 4;

        if (!n || draw % 8 == 0 || g->n < FRESH)
                return 0;
        if (draw % 8 < 3)
                return (uint32_t)(draw >> 16) % n;
        for (uint64_t i = 0; i < g->since && cut < n; i += STALE)
                cut *= 2;
        cut = 1 + (uint32_t)(draw >> 16) % cut;
        return cut < n ? n - cut : 0;
}

static int probe(struct guided *g, struct schedule *out)
{
        uint64_t draw = hash_draw(hash_draw(g->seed) + g->n);
        uint32_t n = keep(g, draw);

        for (uint32_t i = 0; i < n; i++)
                out->prefix[i] = g->kept.at[i];
        out->author = NULL;
        out->n_prefix = n;
        out->n_hints = out->n_sleep = 0;
        out->n_last = 1;
        out->flags = 0;
        out->tail = g->n < HINTED || g->n / 2 % 2 ? WIRE_TAIL_PATH : WIRE_TAIL_POS;
        out->run_seed = g->n ? draw | 1 : (draw & ~PATH_SEED_MASK) | PATH_SEED_TIMED | 1; /* the recorded times alone */
        return 1;
}

static int guided_next(struct strategy *base, struct schedule *out)
{
        struct guided *g = (struct guided *)base;

        base->probing = probes(g);
        return base->probing ? probe(g, out) : g->verify->ops->next(g->verify, out);
}

static int keep_trace(struct guided *g, const struct trace *t)
{
        g->kept.n = 0;
        if (!vec_reserve(&g->kept, t->n_transitions))
                return -ENOMEM;
        for (uint32_t i = 0; i < t->n_events; i++)
                if (t->events[i].flags & WIRE_EV_SCHED)
                        *vec_push(&g->kept) =
                                (struct wire_decision){.actor = t->events[i].actor, .choice = t->events[i].choice};
        if (t->followed > g->best)
                g->since = 0;
        g->best = t->followed;
        return 0;
}

static int guided_learn(struct strategy *base, const struct trace *t)
{
        struct guided *g = (struct guided *)base;
        int r = 0;

        if (!base->probing)
                r = g->verify->ops->learn(g->verify, t);
        else if (t->followed > g->best || (t->followed == g->best && g->since % 4 == 3))
                r = keep_trace(g, t);
        g->since++;
        g->n++;
        return r;
}

static void guided_reset(struct strategy *base)
{
        struct guided *g = (struct guided *)base;

        g->verify->ops->reset(g->verify);
        g->n = g->best = g->since = 0;
        g->kept.n = 0;
        base->probing = false;
}

static void guided_destroy(struct strategy *base)
{
        struct guided *g = (struct guided *)base;

        if (g->verify)
                g->verify->ops->destroy(g->verify);
        free(g->kept.at);
        free(g);
}

static const struct strategy_ops guided_ops = {
        .next = guided_next,
        .learn = guided_learn,
        .reset = guided_reset,
        .destroy = guided_destroy,
};

struct strategy *guided_create(const struct config *config, bool blocks)
{
        struct guided *g = calloc(1, sizeof *g);

        if (!g)
                return NULL;
        g->base.ops = &guided_ops;
        g->seed = config->seed;
        g->verify = optimal_create(blocks);
        if (g->verify)
                return &g->base;
        guided_destroy(&g->base);
        return NULL;
}
