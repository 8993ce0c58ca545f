/*
 * Verification with quick looks for shallow failures: a strategy made of strategies.
 *
 * After the first execution (each thread until it blocks) come two single schedules that are far from it and fail often: one
 * that switches at every point, and one in which every thread goes before those that are older.  From then on the verifying
 * strategy has every second execution, and the looks between are by pos, by random (sometimes pct), and by a bounded search
 * (icb: 0, 1, 2 ... preemptions), at first mostly by pos.  Each of these is the only one that is soon for some program.
 *
 * Looks become fewer:
 *
 *   - FIRST_LOOKS at the beginning, then none before QUIET executions of verification: small programs are done by then;
 *   - after n executions of verification at most SHARE times the root of n, and never more transitions than verification has
 *     made.  So up to SHARE * SHARE executions every second one is a look, of a million one in thirty.
 *
 * Looks are no part of the figures (`looking`), so these are the verifying strategy's.  Bounds that the bounded search has
 * been through are proven (`proven`), whatever becomes of the rest.  Whoever is not at work keeps its state.  The first
 * execution, which is the same for both, is shown to the bounded search, too.
 */
#include <errno.h>
#include <stdlib.h>

#include "explore/strategy.h"

#define SINGLE_LOOKS 2u /* before verification goes on */
#define FIRST_LOOKS  32u
#define QUIET        64u
#define SHARE        30u

enum arm { VERIFY, ALTERNATE, NEWEST, POS, BOUNDED, RANDOM, PCT, ARMS };

struct mixed {
        struct strategy base;
        struct strategy *arms[ARMS];
        bool over[ARMS];           /* it has nothing more to show */
        enum arm at;               /* whose the execution is that was given last */
        uint64_t verified, looked; /* executions */
        uint64_t cost[2];          /* of verification and of looks, in transitions */
        bool begun;                /* the first execution is learnt */
        bool given;                /* an execution was given that is not learnt yet */
        bool own; /* the last execution was the verifying strategy's own: its trace is what the next one repeats */
};

/* Is it time for a look? */
static bool look_due(const struct mixed *m)
{
        if (m->looked < SINGLE_LOOKS)
                return true;
        if (m->at != VERIFY)
                return false;
        if (m->looked < FIRST_LOOKS)
                return true;
        if (m->verified < QUIET)
                return false;
        return m->looked * m->looked < SHARE * SHARE * m->verified && m->cost[1] <= m->cost[0];
}

/* Whose look number i is. */
static enum arm look_of(uint64_t i)
{
        static const enum arm first[] = {RANDOM, BOUNDED, POS, POS};
        static const enum arm then[] = {POS, RANDOM, BOUNDED, POS, RANDOM, BOUNDED,
                                        POS, RANDOM, BOUNDED, POS, PCT,    BOUNDED};

        if (i < SINGLE_LOOKS)
                return i ? NEWEST : ALTERNATE;
        return i < FIRST_LOOKS ? first[i % (sizeof first / sizeof *first)] : then[i % (sizeof then / sizeof *then)];
}

static void turn(struct mixed *m)
{
        m->at = look_due(m) ? look_of(m->looked) : VERIFY;
        if (m->over[m->at]) {
                m->looked++;
                m->at = VERIFY;
        }
        m->base.looking = m->at != VERIFY;
}

static int mixed_next(struct strategy *base, struct schedule *out)
{
        struct mixed *m = (struct mixed *)base;
        struct schedule unused = *out;
        int r;

        if (m->begun && !m->given)
                turn(m);
        m->given = true;
        r = m->arms[m->at]->ops->next(m->arms[m->at], out);
        base->proven = m->arms[BOUNDED]->proven;
        if (r == 0 && m->at != VERIFY) {
                m->over[m->at] = true;
                turn(m);
                r = m->arms[VERIFY]->ops->next(m->arms[VERIFY], out);
        } else if (r > 0 && !m->begun) {
                r = m->arms[BOUNDED]->ops->next(m->arms[BOUNDED], &unused);
                out->flags |= WIRE_WANT_ENABLED;
        }
        return r;
}

static int mixed_learn(struct strategy *base, const struct trace *t)
{
        struct mixed *m = (struct mixed *)base;
        int r = m->arms[m->at]->ops->learn(m->arms[m->at], t);

        if (!r && !m->begun && t->n_transitions)
                r = m->arms[BOUNDED]->ops->learn(m->arms[BOUNDED], t);
        m->begun = true;
        m->given = false;
        m->own = m->at == VERIFY;
        m->verified += m->own;
        m->looked += !m->own;
        m->cost[!m->own] += t->n_transitions;
        return r;
}

static uint32_t mixed_known(const struct strategy *base)
{
        const struct mixed *m = (const struct mixed *)base;

        return m->own && m->at == VERIFY ? m->arms[VERIFY]->ops->known(m->arms[VERIFY]) : 0;
}

static void begin(struct mixed *m)
{
        m->at = VERIFY;
        m->verified = m->looked = m->cost[0] = m->cost[1] = 0;
        m->begun = m->given = m->own = m->base.looking = false;
        m->base.proven = 0;
        for (int i = 0; i < ARMS; i++)
                m->over[i] = false;
}

static void mixed_reset(struct strategy *base)
{
        struct mixed *m = (struct mixed *)base;

        for (int i = 0; i < ARMS; i++)
                m->arms[i]->ops->reset(m->arms[i]);
        begin(m);
}

/* Whose turn it is follows from who was last: an execution that was given and not learnt is given again. */
static void mixed_save(const struct strategy *base, struct stream *out)
{
        const struct mixed *m = (const struct mixed *)base;

        stream_put_u64(out, m->verified);
        stream_put_u64(out, m->looked);
        stream_put(out, m->cost, sizeof m->cost);
        stream_put_u32(out, m->begun);
        stream_put_u32(out, m->own);
        for (int i = 0; i < ARMS; i++) {
                stream_put_u32(out, m->over[i]);
                m->arms[i]->ops->save(m->arms[i], out);
        }
}

static int mixed_load(struct strategy *base, struct stream *in)
{
        struct mixed *m = (struct mixed *)base;
        int r = 0;

        begin(m);
        m->verified = stream_get_u64(in);
        m->looked = stream_get_u64(in);
        stream_get(in, m->cost, sizeof m->cost);
        m->begun = stream_get_max(in, 1);
        m->own = stream_get_max(in, 1);
        m->at = m->own || !m->begun ? VERIFY : POS;
        for (int i = 0; i < ARMS && !r; i++) {
                m->over[i] = stream_get_max(in, 1);
                r = m->arms[i]->ops->load(m->arms[i], in);
        }
        m->own = false; /* its trace is not at hand */
        base->proven = m->arms[BOUNDED]->proven;
        return r;
}

static uint32_t mixed_path(const struct strategy *base, uint32_t *branch)
{
        const struct strategy *v = ((const struct mixed *)base)->arms[VERIFY];

        return v->ops->path ? v->ops->path(v, branch) : 0;
}

static struct estimate_level mixed_level(const void *strategy, uint32_t i)
{
        const struct strategy *v = ((const struct mixed *)strategy)->arms[VERIFY];

        return v->ops->level(v, i);
}

static void mixed_destroy(struct strategy *base)
{
        struct mixed *m = (struct mixed *)base;

        for (int i = 0; i < ARMS; i++)
                if (m->arms[i])
                        m->arms[i]->ops->destroy(m->arms[i]);
        free(m);
}

static const struct strategy_ops mixed_ops = {
        .name = "auto",
        .next = mixed_next,
        .learn = mixed_learn,
        .known = mixed_known,
        .reset = mixed_reset,
        .save = mixed_save,
        .load = mixed_load,
        .path = mixed_path,
        .level = mixed_level,
        .destroy = mixed_destroy,
};

struct strategy *auto_create(struct strategy *verify, bool blocks, uint64_t seed)
{
        struct mixed *m = calloc(1, sizeof *m);

        if (!m) {
                if (verify)
                        verify->ops->destroy(verify);
                return NULL;
        }
        m->base.ops = &mixed_ops;
        m->arms[VERIFY] = verify;
        m->arms[ALTERNATE] = random_create(WIRE_TAIL_ALTERNATE, seed, 0, 1);
        m->arms[NEWEST] = random_create(WIRE_TAIL_NEWEST, seed, 0, 1);
        m->arms[POS] = random_create(WIRE_TAIL_POS, seed, 0, 0);
        m->arms[BOUNDED] = icb_create(0, STRATEGY_UNBOUNDED, blocks);
        m->arms[RANDOM] = random_create(WIRE_TAIL_RANDOM, seed, 0, 0);
        m->arms[PCT] = random_create(WIRE_TAIL_PCT, seed, 3, 0);
        begin(m);
        for (int i = 0; i < ARMS; i++)
                if (!m->arms[i]) {
                        mixed_destroy(&m->base);
                        return NULL;
                }
        return &m->base;
}
