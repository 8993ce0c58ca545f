/*
 * The search for an execution that follows recorded paths.
 *
 * The target stops a thread that leaves its path (rt/sched/path.c), and says how much of all paths was followed.  Three searches take
 * turns.  The executions of the first two are probes: they find what they find soon, and prove nothing.
 *
 * Loose probes: a best-first search by chance.  An execution keeps a part of the one that has followed most so far and draws the rest, at
 * first among the threads whose recorded time comes first, then among all.  The part that is kept is often all but the last few steps,
 * sometimes little, so that no early step is final.
 *
 * Strict probes (climb.h) are for long paths with conflicts everywhere.  They end where a thread leaves its path, and threads avoid
 * what has led others there (rt/sched/path_pick.c).  At first events of disjoint recorded windows are ordered, as in the core-based reduction of
 * S. Huang's thesis; when that comes no further, times do not count, and so on in turns.
 *
 * Optimal DPOR over the program with its paths, for which a thread that stops is as one whose assumption does not hold: it needs few
 * executions where the paths leave little choice, and ends when no execution of the program follows the paths to the recorded failure.
 */
#include "strategy/guided.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "strategy/climb.h"
#include "strategy/dpor/optimal.h"
#include "wire/path.h"

#define FRESH 100u /* until there were so many, loose probes keep nothing ... */
#define HINTED \
        400u /* ... and until then they trust the times, afterwards every second one does; there are no strict ones */
#define FIRST    4u    /* executions that are loose probes */
#define BUDGET   4000u /* executions after which none is */
#define STALE    50u   /* executions without progress after which a shorter part is kept */
#define PATIENCE 2000u /* strict probes without a longer one after which times count, or not any more */
#define LONG     256u  /* where an execution has so many steps, most are probes: there are too many to verify */
#define ROUND    8u    /* executions after which the turns begin again */

enum turn { LOOSE, STRICT, VERIFIES };

struct guided {
        struct strategy base;
        struct strategy *verify;
        uint64_t seed, n; /* executions so far */
        uint64_t best;    /* bits that the kept execution followed */
        uint64_t since;   /* executions since more was followed */
        VEC(struct wire_decision) kept;
        struct climb *climb; /* strict probes */
        bool free;           /* ... for which times do not count ... */
        uint64_t patience;   /* ... until so many of them were no longer than another one */
        enum turn turn;      /* of the execution under way */
        bool is_long;        /* one had many steps */
};

static enum turn turn(const struct guided *g)
{
        static const uint8_t few[ROUND] = {VERIFIES, LOOSE, VERIFIES, LOOSE, VERIFIES, LOOSE, VERIFIES, LOOSE},
                             turns[2][ROUND] = {
                                     {VERIFIES, LOOSE, VERIFIES, STRICT, VERIFIES, LOOSE, VERIFIES, STRICT},
                                     {STRICT, LOOSE, STRICT, STRICT, STRICT, LOOSE, STRICT, VERIFIES},
                             };
        enum turn t = g->n < FIRST ? LOOSE : (g->n < HINTED ? few : turns[g->is_long])[g->n % ROUND];

        return t == LOOSE && g->n >= BUDGET ? STRICT : t;
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

static void probe_loose(struct guided *g, uint64_t draw, struct schedule *out)
{
        out->n_prefix = keep(g, draw);
        for (uint32_t i = 0; i < out->n_prefix; i++)
                out->prefix[i] = g->kept.at[i];
        out->tail = g->n < HINTED || g->n / 2 % 2 ? WIRE_TAIL_PATH : WIRE_TAIL_POS;
        out->tail_depth = 0;
        out->run_seed = draw;
        if (!g->n) /* the recorded times alone */
                out->run_seed = (draw & ~PATH_SEED_MASK) | PATH_SEED_TIMED;
}

static void probe_strict(struct guided *g, uint64_t draw, struct schedule *out)
{
        if (climb_since(g->climb) > g->patience) {
                g->free = !g->free;
                g->patience += g->patience / 2;
                climb_reset(g->climb);
        }
        climb_next(g->climb, draw, out);
        out->tail = WIRE_TAIL_PATH;
        out->tail_depth = PATH_STRICT | (g->free ? PATH_FREE : 0);
        out->run_seed = draw;
}

static int guided_next(struct strategy *base, struct schedule *out)
{
        struct guided *g = (struct guided *)base;
        uint64_t draw = hash_draw(hash_draw(g->seed) + g->n);

        g->turn = turn(g);
        base->probing = g->turn != VERIFIES;
        if (!base->probing)
                return g->verify->ops->next(g->verify, out);
        out->author = NULL;
        out->n_hints = out->n_sleep = 0;
        out->n_last = 1;
        out->flags = 0;
        if (g->turn == STRICT)
                probe_strict(g, draw, out);
        else
                probe_loose(g, draw, out);
        out->run_seed |= 1;
        return 1;
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

static int learn_loose(struct guided *g, const struct trace *t)
{
        bool keeps = t->followed > g->best || (t->followed == g->best && g->since % 4 == 3);

        return keeps ? keep_trace(g, t) : 0;
}

static int guided_learn(struct strategy *base, const struct trace *t)
{
        struct guided *g = (struct guided *)base;
        int r = g->turn == LOOSE    ? learn_loose(g, t)
                : g->turn == STRICT ? climb_learn(g->climb, t)
                                    : g->verify->ops->learn(g->verify, t);

        g->n++;
        g->since++;
        g->is_long |= t->n_transitions > LONG;
        return r;
}

static void guided_reset(struct strategy *base)
{
        struct guided *g = (struct guided *)base;

        g->verify->ops->reset(g->verify);
        g->n = g->best = g->since = 0;
        g->kept.n = 0;
        climb_reset(g->climb);
        g->free = g->is_long = false;
        g->patience = PATIENCE;
        base->probing = false;
}

static void guided_destroy(struct strategy *base)
{
        struct guided *g = (struct guided *)base;

        if (g->verify)
                g->verify->ops->destroy(g->verify);
        climb_destroy(g->climb);
        vec_fini(&g->kept);
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
        g->climb = climb_create();
        g->patience = PATIENCE;
        if (g->verify && g->climb)
                return &g->base;
        guided_destroy(&g->base);
        return NULL;
}
