/*
 * Verification with quick looks for shallow failures: a strategy made of strategies.
 *
 * They take turns: the verifying strategy has every second execution, the looks between are in turn one by pos, one of a
 * bounded search (icb: 0, 1, 2 ... preemptions), one by random, every fourth of these by pct.  So a failure takes at most
 * twice the executions that verification would need, and six times those of the soonest look.  Nothing promises less for
 * all of them: each is the only one that is soon for some program.
 *
 * What looks may cost is counted in transitions, a measure of time that is the same every time:
 *
 *   - FIRST_LOOKS at the beginning, then none before QUIET executions of verification: small programs are done by then;
 *   - as many as verification until they have cost FAIR transitions, which is some hundredths of a second;
 *   - one look for RARE executions of verification from then on.
 *
 * Looks are no part of the figures (`looking`), so these are the verifying strategy's.  Bounds that the bounded search has
 * been through are proven (`proven`), whatever becomes of the rest.  Whoever is not at work keeps its state.  The first
 * execution, which is the same for both, is shown to the bounded search, too.
 */
#include <errno.h>
#include <stdlib.h>

#include "explore/strategy.h"

#define FIRST_LOOKS 48u
#define QUIET       96u
#define FAIR        65536u
#define RARE        10u

enum arm { VERIFY, POS, BOUNDED, RANDOM, PCT, ARMS };

struct mixed {
        struct strategy base;
        struct strategy *arms[ARMS];
        bool over[ARMS];           /* it has nothing more to show */
        enum arm at;               /* whose the execution is that was given last */
        uint64_t verified, looked; /* executions */
        uint64_t cost;             /* of looks, in transitions */
        bool begun;                /* the first execution is learnt */
        bool given;                /* an execution was given that is not learnt yet */
        bool own; /* the last execution was the verifying strategy's own: its trace is what the next one repeats */
};

/* After an execution of verification: is it time for a look? */
static bool look_due(const struct mixed *m)
{
        if (m->looked < FIRST_LOOKS)
                return true;
        if (m->verified < QUIET)
                return false;
        return m->cost < FAIR || m->verified % RARE == 0;
}

static void turn(struct mixed *m)
{
        static const enum arm order[] = {POS, BOUNDED, RANDOM, POS, BOUNDED, RANDOM,
                                         POS, BOUNDED, RANDOM, POS, BOUNDED, PCT};

        m->at = m->at == VERIFY && look_due(m) ? order[m->looked % (sizeof order / sizeof *order)] : VERIFY;
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
        m->cost += m->own ? 0 : t->n_transitions;
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
        m->verified = m->looked = m->cost = 0;
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
        stream_put_u64(out, m->cost);
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
        m->cost = stream_get_u64(in);
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
