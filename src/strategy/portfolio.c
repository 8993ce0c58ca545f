/*
 * Verification with probes for shallow failures: a strategy made of strategies.
 *
 * After the first execution (each thread until it blocks) comes a single schedule that is far from it and fails often (hold:
 * the values that threads have read are stale when they write).  After one more probe the verifying strategy has every second
 * execution.  The probes between are random schedules at first, most of them with one object in focus; then a third of them,
 * and later most, are a bounded search (0, 1, 2, 4 ... preemptions).  For each of these there are programs whose failure it
 * alone finds soon.
 *
 * Probes become fewer:
 *
 *   - FIRST_PROBES at the beginning, then none before QUIET executions of verification: small programs are done by then;
 *   - after n executions of verification at most SHARE times the root of n, and never more transitions than verification has
 *     made.  So up to SHARE * SHARE executions every second one is a probe, of a million one in twenty;
 *   - where there are no data races, with mcr a SMALL_PART of its effort, as long as verification expects to end within LONG
 *     executions: it meets soon what they would find.  Where it expects more, quadratically more;
 *   - none after the first failure (--keep-going: the executions before it are the same as without);
 *   - none once LATE of the verification is done, as it estimates itself: the rest is the shortest way to the end;
 *   - where memory accesses are not watched, UNWATCHED in all, after the verification too: it does not know what orders there are.
 *
 * Where executions are long, every second probe is one of `predict`: a reordering of an execution finds in one step what random
 * schedules and few preemptions rarely meet there.
 *
 * A program that takes VALUES_FROM executions is also verified by maximal causality (mcr), one that takes several times LONG with
 * half as much effort again as by the first strategy: whichever ends first has proven it, after about twice the effort of the
 * faster one.  Its executions count as probes.  It ends early where the program has something that it does not model, or about
 * as many classes as traces.
 *
 * Where executions return to earlier states, a search over states verifies (strategy_create_states).  It has no estimate, and
 * there is no bounded search beside it, which would not end.
 *
 * Probes are not part of the figures (`probing`), so these are the verifying strategy's.  Bounds that the bounded search has
 * completed are proven (`proven`), independent of the rest.  A strategy that is not running keeps its state.  The first
 * execution is shown to the bounded search too, for which it is the same; the strategy with a focus learns the objects from
 * that and from the first probes.
 */
#include <errno.h>
#include <stdlib.h>

#include "strategy/dpor/bounded.h"
#include "strategy/dpor/optimal.h"
#include "strategy/random.h"
#include "strategy/makers.h"
#include "strategy/mcr/mcr.h"
#include "strategy/states/filters.h"

#define SOON          2u /* probes before verification continues */
#define FIRST_PROBES  32u
#define SECOND_PROBES 480u
#define SHOWN         16u /* probes from which it is learnt what there is to focus on */
#define QUIET         64u
#define SHARE         50u
#define LATE          0.4     /* of the verification */
#define LONG          50000.0 /* executions */
#define SMALL_PART    0.04
#define VALUES_FROM   1000u
#define LENGTHY       1000u /* transitions of an execution from which predictions are probes, too */
#define STEPS         2u    /* of the search of mcr, as much effort as a transition */
#define UNWATCHED     100u
#define ESTIMATES     16u /* from QUIET on every so many executions of verification have one */

enum arm { VERIFY, VALUES, HOLD, FOCUS, POS, RANDOM, PCT, BOUNDED, PREDICT, ARMS };

struct portfolio {
        struct strategy base;
        struct strategy *arms[ARMS];
        bool over[ARMS];           /* it has nothing more to show */
        enum arm at;               /* whose the execution is that was given last */
        uint64_t verified, probed; /* executions */
        uint64_t cost[2];          /* of verification and of probes, in transitions */
        uint64_t cost_values;      /* of mcr */
        bool begun;                /* the first execution is learnt */
        bool lengthy;              /* the first execution has LENGTHY transitions */
        bool given;                /* an execution was given that is not learnt yet */
        double share;              /* of the verification that is done, by the last estimate */
        double expected;           /* executions, by the first estimate from VALUES_FROM on; 0: there was none */
        bool own; /* the last execution was the verifying strategy's own: its trace is what the next one repeats */
};

/* Has all else than verification taken what the search is worth? */
static bool is_spent(const struct portfolio *m)
{
        double longs = m->share > 0 ? (double)m->verified / m->share / LONG : 0;
        double part = SMALL_PART * (longs > 1 ? longs * longs : 1);

        return !m->base.raced && m->share > 0 && (double)(m->cost[1] + m->cost_values) > part * (double)m->cost[0];
}

/* Is it time for a probe? */
static bool probe_due(const struct portfolio *m)
{
        if (m->share >= 1 || m->base.found)
                return false;
        if (m->probed < SOON)
                return true;
        if (m->at != VERIFY)
                return false;
        if (m->probed < FIRST_PROBES)
                return true;
        if (m->verified < QUIET || m->share >= LATE)
                return false;
        return m->probed * m->probed < SHARE * SHARE * m->verified && m->cost[1] <= m->cost[0] && !is_spent(m);
}

/* Which arm makes probe i. */
static enum arm probe_of(const struct portfolio *m, uint64_t i)
{
        /* clang-format off */
        static const enum arm states[] = {FOCUS, PCT, POS, RANDOM, FOCUS, PCT};
        static const enum arm probes[3][12] = {
                {FOCUS, POS, FOCUS, FOCUS, RANDOM, FOCUS, FOCUS, POS, FOCUS, FOCUS, RANDOM, FOCUS},
                {FOCUS, BOUNDED, FOCUS, POS, BOUNDED, FOCUS, FOCUS, BOUNDED, RANDOM, FOCUS, BOUNDED, PCT},
                {FOCUS, BOUNDED, BOUNDED, BOUNDED, BOUNDED, BOUNDED, FOCUS, BOUNDED, BOUNDED, BOUNDED, BOUNDED, BOUNDED},
        };
        /* clang-format on */

        if (i % 2 && m->lengthy && m->arms[PREDICT])
                return PREDICT;
        if (i && !m->arms[BOUNDED])
                return states[(i - 1) % 6];
        return i ? probes[(i > FIRST_PROBES) + (i > SECOND_PROBES)][(i - 1) % 12] : HOLD;
}

static double share_of(const struct strategy *v)
{
        uint32_t branch, n = strategy_path(v, &branch);

        return n ? estimate_share(n, v->ops->tree->level, v) : 0;
}

/* Is it mcr's turn?  Verification that is late by its own estimate may have long to go. */
static bool values_due(const struct portfolio *m)
{
        bool late = m->share >= LATE && (double)m->verified <= m->expected;

        return m->arms[VALUES] && !m->over[VALUES] && m->verified >= VALUES_FROM && !late &&
               m->cost_values * 2 <= m->cost[0] * 3 && !is_spent(m);
}

static void turn(struct portfolio *m)
{
        m->at = values_due(m) ? VALUES : probe_due(m) ? probe_of(m, m->probed) : VERIFY;
        if (m->over[m->at]) {
                m->probed++;
                m->at = VERIFY;
        }
        m->base.probing = m->at != VERIFY;
}

/* As next(); where mcr gives up, of the first strategy. */
static int values_next(struct portfolio *m, struct schedule *out)
{
        struct strategy *v = m->arms[VALUES];
        uint64_t steps = v->queries;
        int r = v->ops->next(v, out);

        m->cost_values += (v->queries - steps) / STEPS;
        if (!v->unmodelled) {
                m->base.counts_values = r == 0; /* it has proven it */
                m->base.value_classes = v->value_classes;
                m->base.queries = v->queries;
                return r;
        }
        m->over[VALUES] = true;
        m->at = VERIFY;
        m->base.probing = false;
        return m->arms[VERIFY]->ops->next(m->arms[VERIFY], out);
}

static int values_learn(struct portfolio *m, const struct trace *t)
{
        struct strategy *v = m->arms[VALUES];
        int r = v->ops->learn(v, t);

        m->given = m->own = false;
        m->cost_values += t->n_transitions + 1;
        m->over[VALUES] |= v->unmodelled != NULL;
        return r;
}

static uint32_t proven(const struct portfolio *m)
{
        return m->arms[BOUNDED] ? m->arms[BOUNDED]->proven : 0;
}

static int portfolio_next(struct strategy *base, struct schedule *out)
{
        struct portfolio *m = (struct portfolio *)base;
        struct schedule unused = *out;
        int r;

        if (m->begun && !m->given)
                turn(m);
        m->given = true;
        r = m->at == VALUES ? values_next(m, out) : m->arms[m->at]->ops->next(m->arms[m->at], out);
        if (r == 0 && m->at == VALUES)
                return 0;
        base->proven = proven(m);
        if (r == 0 && m->at != VERIFY) {
                m->over[m->at] = true;
                turn(m);
                r = m->arms[VERIFY]->ops->next(m->arms[VERIFY], out);
        }
        if (r == 0 && base->unwatched && !base->found && m->probed < UNWATCHED) {
                m->at = RANDOM;
                base->probing = true;
                r = m->arms[RANDOM]->ops->next(m->arms[RANDOM], out);
        }
        if (r > 0 && !m->begun && m->arms[BOUNDED]) {
                r = m->arms[BOUNDED]->ops->next(m->arms[BOUNDED], &unused);
                out->flags |= WIRE_WANT_ENABLED;
        }
        if (!m->own || m->at != VERIFY)
                out->known = 0;
        if (m->at != VERIFY && !m->arms[BOUNDED])
                out->flags |= WIRE_NO_CYCLES; /* it is not the search's own, and runs to its end */
        base->partial = m->arms[VERIFY]->partial;
        base->partial_detail = m->arms[VERIFY]->partial_detail;
        return r;
}

static int portfolio_learn(struct strategy *base, const struct trace *t)
{
        struct portfolio *m = (struct portfolio *)base;
        int r;

        if (m->at == VALUES)
                return values_learn(m, t);
        r = m->arms[m->at]->ops->learn(m->arms[m->at], t);
        if (!r && !m->begun && t->n_transitions && m->arms[BOUNDED])
                r = m->arms[BOUNDED]->ops->learn(m->arms[BOUNDED], t);
        if (!r && (!m->begun || (m->at != VERIFY && m->probed < SHOWN)))
                r = random_show(m->arms[FOCUS], t);
        m->lengthy |= !m->begun && t->n_transitions >= LENGTHY;
        m->begun = true;
        m->given = false;
        m->own = m->at == VERIFY;
        m->verified += m->own;
        m->probed += !m->own;
        m->cost[!m->own] += t->n_transitions;
        if (m->own && (m->verified < QUIET || m->verified % ESTIMATES == 0))
                m->share = share_of(m->arms[VERIFY]);
        if (m->own && m->verified >= VALUES_FROM && m->share > 0 && m->expected == 0)
                m->expected = (double)m->verified / m->share;
        return r;
}

static void begin(struct portfolio *m)
{
        m->at = VERIFY;
        m->verified = m->probed = m->cost[0] = m->cost[1] = m->cost_values = 0;
        m->base.counts_values = false;
        m->begun = m->given = m->lengthy = m->own = m->base.probing = false;
        m->share = m->expected = 0;
        m->base.proven = 0;
        for (int i = 0; i < ARMS; i++)
                m->over[i] = false;
}

static void portfolio_reset(struct strategy *base)
{
        struct portfolio *m = (struct portfolio *)base;

        for (int i = 0; i < ARMS; i++)
                if (m->arms[i])
                        m->arms[i]->ops->reset(m->arms[i]);
        begin(m);
}

/* Whose turn it is follows from which was last: an execution that was given and not learnt is given again. */
static void portfolio_save(const struct strategy *base, struct stream *out)
{
        const struct portfolio *m = (const struct portfolio *)base;

        stream_put_u64(out, m->verified);
        stream_put_u64(out, m->probed);
        stream_put(out, m->cost, sizeof m->cost);
        stream_put_u64(out, m->cost_values);
        stream_put_u32(out, m->begun);
        stream_put_u32(out, m->own);
        stream_put(out, &m->share, sizeof m->share);
        stream_put(out, &m->expected, sizeof m->expected);
        for (int i = 0; i < ARMS; i++) {
                stream_put_u32(out, m->over[i]);
                if (m->arms[i])
                        m->arms[i]->ops->persist->save(m->arms[i], out);
        }
}

static int portfolio_load(struct strategy *base, struct stream *in)
{
        struct portfolio *m = (struct portfolio *)base;
        int r = 0;

        begin(m);
        m->verified = stream_get_u64(in);
        m->probed = stream_get_u64(in);
        stream_get(in, m->cost, sizeof m->cost);
        m->cost_values = stream_get_u64(in);
        m->begun = stream_get_max(in, 1);
        m->own = stream_get_max(in, 1);
        stream_get(in, &m->share, sizeof m->share);
        stream_get(in, &m->expected, sizeof m->expected);
        m->at = m->own || !m->begun ? VERIFY : POS;
        for (int i = 0; i < ARMS && !r; i++) {
                m->over[i] = stream_get_max(in, 1);
                r = m->arms[i] ? m->arms[i]->ops->persist->load(m->arms[i], in) : 0;
        }
        m->own = false; /* its trace is not at hand */
        base->proven = proven(m);
        return r;
}

static uint32_t portfolio_path(const struct strategy *base, uint32_t *branch)
{
        const struct strategy *v = ((const struct portfolio *)base)->arms[VERIFY];

        return strategy_path(v, branch);
}

static struct estimate_level portfolio_level(const void *strategy, uint32_t i)
{
        const struct strategy *v = ((const struct portfolio *)strategy)->arms[VERIFY];

        return v->ops->tree->level(v, i);
}

static void portfolio_destroy(struct strategy *base)
{
        struct portfolio *m = (struct portfolio *)base;

        for (int i = 0; i < ARMS; i++)
                if (m->arms[i])
                        m->arms[i]->ops->destroy(m->arms[i]);
        free(m);
}

static const struct persist_ops portfolio_persist = {.format = "auto", .save = portfolio_save, .load = portfolio_load};
static const struct tree_ops portfolio_tree = {.path = portfolio_path, .level = portfolio_level};

static uint32_t portfolio_ahead(const struct strategy *base, uint32_t before, struct wire_ahead *out)
{
        const struct portfolio *m = (const struct portfolio *)base;
        const struct strategy *v = m->arms[VERIFY];

        return m->at == VERIFY && v->ops->ahead ? v->ops->ahead(v, before, out) : STRATEGY_NO_AHEAD;
}

static const struct strategy_ops portfolio_ops = {
        .next = portfolio_next,
        .learn = portfolio_learn,
        .reset = portfolio_reset,
        .destroy = portfolio_destroy,
        .ahead = portfolio_ahead,
        .persist = &portfolio_persist,
        .tree = &portfolio_tree,
};

/* Verification by a strategy, which it owns, and by another one (or NULL), with probes of random schedules of that seed.  NULL: out
 * of memory. */
static struct portfolio *portfolio_create(struct strategy *verify, struct strategy *values, uint64_t seed)
{
        struct portfolio *m = calloc(1, sizeof *m);

        if (!m) {
                if (verify)
                        verify->ops->destroy(verify);
                if (values)
                        values->ops->destroy(values);
                return NULL;
        }
        m->base.ops = &portfolio_ops;
        m->base.searches = values != NULL;
        m->arms[VERIFY] = verify;
        m->arms[VALUES] = values;
        m->arms[HOLD] = random_create(WIRE_TAIL_HOLD, seed, 0, 1);
        m->arms[FOCUS] = random_create(WIRE_TAIL_FOCUS, seed, 0, 0);
        m->arms[POS] = random_create(WIRE_TAIL_POS, seed, 0, 0);
        m->arms[RANDOM] = random_create(WIRE_TAIL_RANDOM, seed, 0, 0);
        m->arms[PCT] = random_create(WIRE_TAIL_PCT, seed, 3, 0);
        begin(m);
        for (int i = 0; i < ARMS; i++)
                if (!m->arms[i] && i != VALUES && i != BOUNDED && i != PREDICT) {
                        portfolio_destroy(&m->base);
                        return NULL;
                }
        return m;
}

/* Several workers share one search only. */
struct strategy *portfolio_make(const struct config *config, bool blocks)
{
        struct strategy *verify = optimal_make(config, blocks);
        struct portfolio *m;

        if (config_shared(config) || maker_wants_all(config))
                return verify;
        m = portfolio_create(verify, mcr_create_beside(config, blocks), config->seed);
        if (!m)
                return NULL;
        m->arms[BOUNDED] = bounded_create_quick(bounded_unreduced(config, blocks)); /* few preemptions */
        if (!config->save && !config->resume)                                       /* what it knows is not stored */
                m->arms[PREDICT] = predict_make(config, blocks);
        if (m->arms[BOUNDED])
                return &m->base;
        portfolio_destroy(&m->base);
        return NULL;
}

struct strategy *portfolio_make_states(const struct config *config, bool blocks)
{
        struct strategy *verify = filters_create(config, blocks, true);
        struct portfolio *m;

        if (!verify || config_shared(config) || maker_wants_all(config))
                return verify;
        m = portfolio_create(verify, NULL, config->seed);
        return m ? &m->base : NULL;
}
