/*
 * Maximal causality: one execution for each combination of values that the threads read.
 *
 * S. Huang: Maximal causality reduction for stateless model checking, thesis, 2019.  Departure: neither a solver nor a strict
 * prefix.  What threads do, given what they have read, is learnt from executions (tries.h), which makes the program a state
 * machine (machine.h).  All of its states are searched (search.h), and an execution is run where the machine lacks knowledge
 * or a class has not been run.  Every execution therefore shows a new class, and every class is run: docs/proofs/mcr.md.
 *
 * Where an execution has something that the machine does not model, the strategy says so (`unmodelled`), and the loop continues
 * with another one.
 */
#include "strategy/mcr/mcr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/log.h"
#include "strategy/makers.h"
#include "strategy/mcr/learn.h"
#include "strategy/mcr/compare/maps.h"
#include "strategy/mcr/compare/published.h"
#include "strategy/mcr/search.h"
#include "strategy/mcr/state.h"
#include "strategy/share.h"

/* How much work for how many classes: alone, and beside another strategy (search.h). */
#define MOST_WORK    UINT64_C(16000000)
#define CLASS_WORK   100000u
#define MOST_BESIDE  UINT64_C(1000000)
#define CLASS_BESIDE 400u

/* --mcr checked: how long the solver may take for an answer, and how many answers are wanted. */
#define QUESTION_MS    2000u
#define MOST_QUESTIONS 4096u

#define RELAXED "relaxed atomics or atomic sections beside channels"

struct mcr {
        struct strategy base;
        struct search search;
        struct learner learner;
        struct seen maps;           /* --mcr checked: what was run (maps.h) */
        struct published published; /* --mcr published, switch */
        const struct config *config;
        enum search_answer wanted; /* why the execution under way is run */
        bool given;                /* it has not been learnt yet */
        bool loaded;               /* some of what was run is not at hand (--resume, --jobs) */
        bool beside;               /* another strategy verifies, too */
};

static struct mcr *mcr_of(struct strategy *s)
{
        return (struct mcr *)s;
}

/* Is it an algorithm as published? */
static bool is_published(const struct config *config)
{
        return config->mcr == MCR_PUBLISHED || config->mcr == MCR_SWITCH || config->dependences >= STATIC_PUBLISHED;
}

static void give(const struct mcr *c, struct schedule *out)
{
        const struct machine *m = &c->search.machine;
        uint32_t n = m->path.n < WIRE_MAX_EVENTS ? m->path.n : WIRE_MAX_EVENTS;

        if (n)
                memcpy(out->prefix, m->path.at, n * sizeof *out->prefix);
        out->author = NULL;
        out->n_prefix = out->n_sleep = 0;
        out->n_hints = n;
        out->tail = WIRE_TAIL_RUN_TO_BLOCK;
        out->flags = WIRE_VALUES | WIRE_CUT_LOOPS;
}

static void give_up(struct mcr *c, const char *what)
{
        c->base.unmodelled = what;
        log_note("%s: %s", c->beside ? "mcr beside optimal ends" : "--strategy mcr does not model this yet", what);
}

/* The algorithms as published: every execution counts. */
static int published_give(struct mcr *c, struct schedule *out)
{
        if (!c->given && !published_next(&c->published, &c->search.machine))
                return 0;
        c->given = true;
        give(c, out);
        return 1;
}

/* Data races are found where two accesses come next in one state.  That finds one in every program that has any, unless threads
 * communicate by what orders nothing, which may keep the accesses apart: then clocks are a part of the states.
 * false: their clocks are not modelled. */
static bool finds_races(struct mcr *c)
{
        struct tries *t = &c->search.machine.tries;

        bool modelled = !t->unordered;

        if (!c->search.wants_races || !(c->learner.relaxed || c->learner.looks) || !c->learner.plain)
                return true;
        if (!t->orders && modelled)
                search_order(&c->search);
        return modelled || !c->learner.relaxed;
}

/* --mcr checked: the search is over; the solver has the last word. */
static void check(struct mcr *c)
{
        struct smt *smt = c->config->mcr == MCR_CHECKED && !c->loaded && part_whole(&c->search.part) &&
                                          !c->search.machine.tries.clocked
                                  ? smt_create(QUESTION_MS)
                                  : NULL;

        if (smt)
                c->base.smt_queries = maps_check(&c->search.machine.tries, &c->maps, smt, MOST_QUESTIONS);
        smt_destroy(smt);
}

static int mcr_next(struct strategy *s, struct schedule *out)
{
        struct mcr *c = mcr_of(s);

        if (is_published(c->config))
                return published_give(c, out);
        if (!c->given) {
                c->wanted = search_next(&c->search);
                s->probing = c->wanted >= SEARCH_END;
                s->queries = c->search.steps;
                if (c->wanted == SEARCH_MANY)
                        give_up(c, "more states than executions");
                else if (!finds_races(c))
                        give_up(c, RELAXED);
        }
        if (c->wanted == SEARCH_OVER) {
                check(c);
                return 0;
        }
        c->given = c->wanted != SEARCH_LATE; /* asked again, it continues */
        give(c, out);
        return 1;
}

static void start(struct mcr *c)
{
        search_init(&c->search, c->config->cache);
        c->search.most_work = c->beside ? MOST_BESIDE : MOST_WORK;
        c->search.class_work = c->beside ? CLASS_BESIDE : CLASS_WORK;
        c->search.machine.tries.spurious = c->config->spurious;
        for (uint32_t i = 0; i < WIRE_PRIMITIVES; i++)
                c->search.machine.tries.wakeup[i] = (uint8_t)c->config->wakeup[i];
        c->search.wants_races = c->config->races != RACES_OFF;
        c->search.wants_ends = c->config->leaks != LEAKS_OFF || c->config->n_finals;
        c->search.end = c->learner.end = c->config->n_finals ? MACHINE_END_ALL : MACHINE_END_POINTERS;
        machine_limit(&c->search.machine, c->config->depth);
        c->learner.observes = c->config->n_observe > 0;
        c->learner.strategy = &c->base;
        c->learner.relaxed = c->learner.plain = c->learner.looks = false;
        c->given = false;
        c->base.value_classes = c->base.queries = c->base.smt_queries = c->base.reads = 0;
        seen_init(&c->maps, UINT64_MAX);
        c->learner.loose = c->config->dependences >= STATIC_PUBLISHED;
        published_init(&c->published, c->config->mcr == MCR_SWITCH, c->learner.loose,
                       c->config->dependences == STATIC_PUBLISHED_S);
}

static void mcr_reset(struct strategy *s)
{
        struct mcr *c = mcr_of(s);

        search_fini(&c->search);
        seen_fini(&c->maps);
        published_fini(&c->published);
        start(c);
}

/* Where clocks are read later than in the first execution, what was learnt is forgotten, and classes are run again. */
static bool learn(struct mcr *c, const struct trace *t)
{
        struct tries *tries = &c->search.machine.tries;

        if (learner_add(&c->learner, tries, t))
                return true;
        if (c->learner.reason != learner_clocks || c->loaded || !part_whole(&c->search.part))
                return false;
        mcr_reset(&c->base);
        c->wanted = SEARCH_STATE;
        c->base.probing = false;
        return learner_add(&c->learner, tries, t);
}

static int mcr_learn(struct strategy *s, const struct trace *t)
{
        struct mcr *c = mcr_of(s);
        uint32_t known = c->search.machine.tries.nodes.n;
        bool fresh;

        c->given = false;
        if (!learn(c, t)) {
                give_up(c, c->learner.reason);
                return 0;
        }
        if (late_reported())
                return 0;
        if (is_published(c->config)) {
                s->value_classes += seen_add(&c->search.classes, c->learner.class);
                published_learn(&c->published, &c->search.machine, &c->learner);
                s->queries = c->published.states;
                s->reads = c->published.reads;
                return 0;
        }
        if (c->config->depth && t->end == WIRE_END_DEPTH) {
                search_cut(&c->search, !s->probing);
                if (c->wanted == SEARCH_RACE)
                        seen_add(&c->search.races.seen, c->search.races.found);
                return 0;
        }
        if (c->wanted == SEARCH_END && memcmp(&c->learner.ended, &c->search.ended, sizeof c->search.ended) != 0) {
                give_up(c, "an execution that does not follow its schedule");
                return 0;
        }
        seen_add(&c->search.classes, c->learner.ended);
        if (c->wanted == SEARCH_RACE)
                seen_add(&c->search.races.seen, c->search.races.found);
        if (s->probing)
                return 0;
        part_grow(&c->search.part, &c->search.machine.tries);
        if (!part_has(&c->search.part, &c->search.machine.tries, c->learner.now.at)) { /* another part has the class */
                if (c->search.machine.tries.nodes.n == known)
                        give_up(c, "an execution that does not follow its schedule");
                return 1;
        }
        fresh = seen_add(&c->search.classes, c->learner.class);
        seen_add(&c->maps, maps_hash(&c->search.machine.tries, c->learner.now.at));
        s->reads += c->learner.reads;
        s->value_classes += fresh && t->end != WIRE_END_ASSUME && t->end != WIRE_END_CUT;
        if (!fresh && c->search.machine.tries.nodes.n == known && !search_may_repeat(&c->search))
                give_up(c, "an execution that does not follow its schedule");
        else if (!finds_races(c))
                give_up(c, RELAXED);
        return fresh ? 0 : 1;
}

static void mcr_destroy(struct strategy *s)
{
        struct mcr *c = mcr_of(s);

        search_fini(&c->search);
        learner_fini(&c->learner);
        seen_fini(&c->maps);
        published_fini(&c->published);
        free(c);
}

static void mcr_save(const struct strategy *s, struct stream *out)
{
        const struct mcr *c = (const struct mcr *)s;

        stream_put_u64(out, s->value_classes);
        stream_put_u32(out, c->learner.relaxed);
        stream_put_u32(out, c->learner.plain);
        stream_put_u32(out, c->learner.looks);
        state_save(&c->search, out);
}

static int mcr_load(struct strategy *s, struct stream *in)
{
        struct mcr *c = mcr_of(s);

        mcr_reset(s);
        c->loaded = true;
        s->value_classes = stream_get_u64(in);
        c->learner.relaxed = stream_get_max(in, 1);
        c->learner.plain = stream_get_max(in, 1);
        c->learner.looks = stream_get_max(in, 1);
        if (!state_load(&c->search, in))
                return -EINVAL;
        machine_limit(&c->search.machine, c->config->depth);
        return 0;
}

static const struct persist_ops mcr_persist = {.format = "mcr", .save = mcr_save, .load = mcr_load};

/* The state of the part that is explored is what mcr_save() writes. */
static bool mcr_divide(struct strategy *s, uint32_t n, parts_take *take, void *arg)
{
        struct mcr *c = mcr_of(s);
        struct part own = c->search.part, *parts = calloc(n, sizeof *parts);
        struct stream state = STREAM_INIT;
        uint32_t made = parts ? part_divide(&own, &c->search.machine.tries, n, parts) : 0;
        bool ok = made > 0;

        for (uint32_t i = 0; i < made; i++) {
                stream_reset(&state);
                c->search.part = parts[i];
                mcr_save(s, &state);
                ok = ok && !state.failed && take(arg, &state, parts[i].size);
                part_fini(&parts[i]);
        }
        c->search.part = own;
        stream_fini(&state);
        c->loaded = true;
        free(parts);
        return ok;
}

static const struct parts_ops mcr_parts = {.divide = mcr_divide};

static const struct strategy_ops published_ops = {
        .next = mcr_next,
        .learn = mcr_learn,
        .reset = mcr_reset,
        .destroy = mcr_destroy,
};

static const struct strategy_ops mcr_ops = {
        .next = mcr_next,
        .learn = mcr_learn,
        .reset = mcr_reset,
        .destroy = mcr_destroy,
        .persist = &mcr_persist,
        .parts = &mcr_parts,
};

const char *mcr_not_modelled(const struct config *config)
{
        if (is_published(config) && config->depth)
                return "the published algorithms with --depth";
        return is_published(config) && config->memory ? "the published algorithms with weak memory"
               : config->n_invariants                 ? "--invariant"
               : config->hand_off                     ? "--hand-off"
               : config->fair                         ? "--fair"
               : config->thread_depth                 ? "--thread-depth"
                                                      : NULL;
}

static struct strategy *create(const struct config *config, bool beside)
{
        struct mcr *c = calloc(1, sizeof *c);

        if (!c)
                return NULL;
        c->base.ops = is_published(config) ? &published_ops : &mcr_ops;
        c->base.counts_values = c->base.searches = c->base.replaceable = true;
        c->config = config;
        c->beside = beside;
        start(c);
        if (is_published(config)) {
                c->base.partial = REASON_RANDOM;
                c->base.partial_detail = "only executions of an algorithm as published, which loses some";
        }
        return &c->base;
}

struct strategy *mcr_make(const struct config *config, bool blocks)
{
        const char *what = mcr_not_modelled(config);
        struct strategy *s;

        if (!what)
                return create(config, false);
        log_note("--strategy mcr does not model this yet: %s; optimal takes its place", what);
        s = optimal_make(config, blocks);
        if (s)
                s->instead = what;
        return s;
}

struct strategy *mcr_create_beside(const struct config *config, bool blocks)
{
        return blocks || config->depth || mcr_not_modelled(config) || is_published(config) ? NULL
                                                                                           : create(config, true);
}
