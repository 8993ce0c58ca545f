/*
 * Verification with a quick look for shallow failures: a strategy made of strategies.
 *
 * The verifying strategy begins, so that a small program is done before anything else is tried.  Then the two take turns
 * in growing slices, two random schedules for each other one (pct and pos in turn) until LOOK_MAX of them have been run, and the verifying
 * strategy goes on alone.  Looks are no part of the figures (`looking`), so these are the verifying strategy's.
 *
 * Slices are counted in executions, not in time: the same traces give the same answers.  Whoever is not at work keeps its
 * state; random schedules write no prefix, so what the other one has written there stays.
 */
#include <errno.h>
#include <stdlib.h>

#include "explore/strategy.h"

#define FIRST_SLICE 20u
#define LOOK_MAX    10000u
#define N_LOOKS     2

struct both {
        struct strategy base;
        struct strategy *verify, *look[N_LOOKS];
        uint64_t slice, left; /* executions of this slice: all, and still to come */
        uint64_t looked;
        bool fresh; /* the last execution was the verifying strategy's own: its trace is what the next one repeats */
};

static struct strategy *active(const struct both *b)
{
        return b->base.looking ? b->look[b->looked % N_LOOKS] : b->verify;
}

static int both_next(struct strategy *base, struct schedule *out)
{
        struct both *b = (struct both *)base;
        int r;

        if (!b->left) {
                if (b->base.looking)
                        b->slice *= 2;
                b->base.looking = !b->base.looking && b->looked < LOOK_MAX;
                b->left = b->base.looking ? 2 * b->slice : b->looked < LOOK_MAX ? b->slice : UINT64_MAX;
        }
        r = active(b)->ops->next(active(b), out);
        if (r || !b->base.looking)
                return r;
        b->base.looking = false; /* random schedules have nothing more to show */
        b->looked = LOOK_MAX;
        b->left = UINT64_MAX;
        return b->verify->ops->next(b->verify, out);
}

static int both_learn(struct strategy *base, const struct trace *t)
{
        struct both *b = (struct both *)base;
        struct strategy *s = active(b);

        b->left--;
        b->looked += b->base.looking;
        b->fresh = !b->base.looking;
        return s->ops->learn(s, t);
}

static uint32_t both_known(const struct strategy *base)
{
        const struct both *b = (const struct both *)base;

        return b->fresh && !b->base.looking ? b->verify->ops->known(b->verify) : 0;
}

static void begin(struct both *b)
{
        b->slice = b->left = FIRST_SLICE;
        b->looked = 0;
        b->fresh = b->base.looking = false;
}

static void both_reset(struct strategy *base)
{
        struct both *b = (struct both *)base;

        b->verify->ops->reset(b->verify);
        for (int i = 0; i < N_LOOKS; i++)
                b->look[i]->ops->reset(b->look[i]);
        begin(b);
}

/* A look that was under way is left out afterwards. */
static void both_save(const struct strategy *base, struct stream *out)
{
        const struct both *b = (const struct both *)base;

        stream_put_u32(out, (uint32_t)b->looked);
        b->verify->ops->save(b->verify, out);
}

static int both_load(struct strategy *base, struct stream *in)
{
        struct both *b = (struct both *)base;

        begin(b);
        b->looked = stream_get_u32(in);
        if (b->looked)
                b->looked = LOOK_MAX;
        return b->verify->ops->load(b->verify, in);
}

static uint32_t both_path(const struct strategy *base, uint32_t *branch)
{
        const struct both *b = (const struct both *)base;

        return b->verify->ops->path ? b->verify->ops->path(b->verify, branch) : 0;
}

static struct estimate_level both_level(const void *strategy, uint32_t i)
{
        const struct both *b = strategy;

        return b->verify->ops->level(b->verify, i);
}

static void both_destroy(struct strategy *base)
{
        struct both *b = (struct both *)base;

        if (b->verify)
                b->verify->ops->destroy(b->verify);
        for (int i = 0; i < N_LOOKS; i++)
                if (b->look[i])
                        b->look[i]->ops->destroy(b->look[i]);
        free(b);
}

static const struct strategy_ops both_ops = {
        .name = "auto",
        .next = both_next,
        .learn = both_learn,
        .known = both_known,
        .reset = both_reset,
        .save = both_save,
        .load = both_load,
        .path = both_path,
        .level = both_level,
        .destroy = both_destroy,
};

struct strategy *auto_create(struct strategy *verify, uint64_t seed)
{
        struct both *b = calloc(1, sizeof *b);

        if (!b) {
                if (verify)
                        verify->ops->destroy(verify);
                return NULL;
        }
        b->base.ops = &both_ops;
        b->verify = verify;
        b->look[0] = random_create(WIRE_TAIL_PCT, seed, 3, 0);
        b->look[1] = random_create(WIRE_TAIL_POS, seed, 0, 0);
        begin(b);
        if (b->verify && b->look[0] && b->look[1])
                return &b->base;
        both_destroy(&b->base);
        return NULL;
}
