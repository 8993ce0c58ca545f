/*
 * Random schedules.  The target draws (rt/sched/tail.c); this file decides how many are run, and the seed of each, which
 * follows from the user's seed and the number of executions before it.  They prove nothing, however many: never complete.
 *
 * PCT spreads its change points over as many steps as executions have.  That is learnt: the longest one so far counts,
 * without those in which a thread had to be kept from running alone without end.  The first has no change points.
 */
#include "strategy/random.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "strategy/draws.h"
#include "strategy/object_focus.h"
#include "strategy/makers.h"

struct random {
        struct strategy base;
        struct draws draws;
        uint64_t n; /* executions so far */
        uint32_t tail, depth;
        uint32_t steps;            /* of the longest */
        struct object_focus focus; /* of WIRE_TAIL_FOCUS */
        bool single;               /* nothing was ever decided: all executions are the same */
        char partial[160];
};

static int random_next(struct strategy *base, struct schedule *out)
{
        struct random *r = (struct random *)base;

        if (r->single || draws_over(&r->draws, r->n)) {
                snprintf(r->partial, sizeof r->partial,
                         r->single ? "%llu random schedule was run, which proves nothing"
                                   : "%llu random schedules were run, which proves nothing; more with --executions or "
                                     "--time",
                         (unsigned long long)r->n);
                return 0;
        }
        out->n_prefix = out->n_hints = out->n_sleep = 0;
        out->flags = 0;
        out->tail = r->tail;
        out->tail_depth = r->depth;
        out->tail_steps = r->steps;
        out->run_seed =
                hash_draw(hash_draw(draws_seed(&r->draws) ^ (uint64_t)(r->tail == WIRE_TAIL_FOCUS) << 63) + r->n);
        if (r->tail == WIRE_TAIL_FOCUS)
                object_focus_set(&r->focus, r->n, out);
        return 1;
}

static int random_learn(struct strategy *base, const struct trace *t)
{
        struct random *r = (struct random *)base;

        r->n++;
        r->single = !t->n_transitions;
        if (t->n_transitions > r->steps && !(t->gave_way && r->steps))
                r->steps = t->n_transitions;
        return 0;
}

static void random_reset(struct strategy *base)
{
        struct random *r = (struct random *)base;

        r->n = 0;
        r->steps = 0;
        r->single = false;
        object_focus_reset(&r->focus);
}

static void random_save(const struct strategy *base, struct stream *out)
{
        const struct random *r = (const struct random *)base;

        draws_save(&r->draws, out);
        stream_put_u64(out, r->n);
        stream_put_u32(out, r->steps);
        stream_put_u32(out, r->single);
        object_focus_save(&r->focus, out);
}

static int random_load(struct strategy *base, struct stream *in)
{
        struct random *r = (struct random *)base;

        if (!draws_load(&r->draws, in)) {
                random_reset(base);
                return in->failed ? -EINVAL : 0;
        }
        r->n = stream_get_u64(in);
        r->steps = stream_get_max(in, WIRE_MAX_EVENTS);
        r->single = stream_get_max(in, 1);
        return in->failed || !object_focus_load(&r->focus, in) ? -EINVAL : 0;
}

static void random_destroy(struct strategy *base)
{
        object_focus_fini(&((struct random *)base)->focus);
        free(base);
}

static bool random_divide(struct strategy *base, uint32_t n, parts_take *take, void *arg)
{
        return draws_divide(base, &((struct random *)base)->draws, n, take, arg);
}

static const struct persist_ops random_persist = {.format = "random", .save = random_save, .load = random_load};

static const struct parts_ops random_parts = {.divide = random_divide};

static const struct strategy_ops random_ops = {
        .next = random_next,
        .learn = random_learn,
        .reset = random_reset,
        .destroy = random_destroy,
        .persist = &random_persist,
        .share = &draws_share,
        .parts = &random_parts,
};

void random_seed(struct strategy *base, uint64_t seed)
{
        ((struct random *)base)->draws.seed = seed;
}

int random_show(struct strategy *base, const struct trace *t)
{
        return object_focus_learn(&((struct random *)base)->focus, t) ? 0 : -ENOMEM;
}

struct strategy *random_create(uint32_t tail, uint64_t seed, uint32_t depth, uint64_t budget)
{
        struct random *r = calloc(1, sizeof *r);

        if (!r)
                return NULL;
        r->base.ops = &random_ops;
        r->base.partial_detail = r->partial;
        r->tail = tail;
        r->draws = (struct draws){.seed = seed, .budget = budget, .parts = 1};
        r->depth = depth;
        return &r->base;
}

static struct strategy *make(const struct config *config, uint32_t tail, uint32_t depth)
{
        struct strategy *s = random_create(tail, config->seed, depth, 0);

        if (s)
                ((struct random *)s)->draws = draws_of(config);
        return s;
}

struct strategy *random_make(const struct config *config, bool blocks)
{
        (void)blocks;
        return make(config, WIRE_TAIL_RANDOM, 0);
}

struct strategy *random_make_pct(const struct config *config, bool blocks)
{
        (void)blocks;
        return make(config, WIRE_TAIL_PCT, config->pct_depth);
}

struct strategy *random_make_pos(const struct config *config, bool blocks)
{
        (void)blocks;
        return make(config, WIRE_TAIL_POS, 0);
}
