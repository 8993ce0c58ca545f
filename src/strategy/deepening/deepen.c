/*
 * Iterative deepening over sets of preemption points (Blum, Gibson: Stateless model checking with data-race preemption points,
 * OOPSLA 2016): each set is a job with a search of its own, optimal.c; deepen_sets.c says which there are and whose turn
 * it is.
 *
 * A search goes depth first, so what the first decisions of an execution spoil it shows last.  Hence a job that is not done
 * when its turn ends also has some random schedules over its points: half as many as the turn had, until these have cost
 * FAIR transitions, then a tenth.  They are not part of the figures (`probing`), but races that they show count.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "strategy/deepening/deepen_share.h"
#include "strategy/dpor/optimal.h"
#include "strategy/random.h"
#include "strategy/makers.h"

#define FAIR 65536u

/* When the job will end: by the cost of its nodes, or by the share that is done. */
static void guess(struct deepen_job *j)
{
        struct estimate_guess g;
        uint32_t branch;

        if (!j->estimate.spent)
                return;
        g = estimate_guess(&j->estimate, strategy_path(j->inner, &branch), j->inner->ops->tree->level, j->inner);
        if (j->resumed)
                j->eta = (1 - g.share) / g.share * j->seconds;
        else
                j->eta = (g.cost - j->estimate.spent) / j->estimate.spent * j->seconds;
}

/* The present job has had its turn, or is over. */
static void leave(struct deepen *d)
{
        d->last = d->now;
        d->now->running = false;
        d->now = NULL;
}

/* 1, 0 when all is proven, or negative. */
static int take_up(struct deepen *d)
{
        bool failed;
        struct deepen_job *j = deepen_jobs_pick(&d->jobs, d->base.now, &failed);

        if (failed)
                return -ENOMEM;
        if (!j)
                return 0;
        if (!j->inner)
                j->inner = optimal_create(true);
        if (!j->inner)
                return -ENOMEM;
        d->fresh = d->fresh && d->last == j;
        d->now = j;
        j->running = true;
        return 1;
}

static int deepen_next(struct strategy *base, struct schedule *out)
{
        struct deepen *d = (struct deepen *)base;

        for (;;) {
                struct deepen_job *j;
                int r = d->now ? 1 : take_up(d);

                if (r <= 0)
                        return r;
                j = d->now;
                base->probing = d->probes > 0;
                r = base->probing
                            ? d->probe[d->probed % DEEPEN_PROBES]->ops->next(d->probe[d->probed % DEEPEN_PROBES], out)
                            : j->inner->ops->next(j->inner, out);
                if (r < 0)
                        return r;
                if (r > 0) {
                        out->points = &j->set;
                        d->began = base->now;
                        if (!d->fresh || base->probing)
                                out->known = 0;
                        return r;
                }
                if (base->probing) { /* there is nothing to decide */
                        d->probes = 0;
                        continue;
                }
                leave(d);
                d->fresh = false;
                deepen_jobs_done(&d->jobs, j);
        }
}

static int learn_look(struct deepen *d, const struct trace *t)
{
        struct strategy *probe = d->probe[d->probed % DEEPEN_PROBES];

        d->fresh = false;
        d->probes--;
        d->probed++;
        d->cost += t->n_transitions;
        return probe->ops->learn(probe, t);
}

static int deepen_learn(struct strategy *base, const struct trace *t)
{
        struct deepen *d = (struct deepen *)base;
        struct deepen_job *j = d->now;
        uint32_t branch, depth;
        int r;

        if (base->probing)
                return learn_look(d, t);
        r = j->inner->ops->learn(j->inner, t);
        d->fresh = true;
        depth = strategy_path(j->inner, &branch);
        if (r >= 0 && depth && estimate_add(&j->estimate, branch, depth, 1))
                r = -ENOMEM;
        return r;
}

static bool is_idle(const struct strategy *s, const struct race_access *a)
{
        struct wire_event e = {.site = a->site, .obj = a->obj, .size = a->size};

        return s->irrelevant && (a->kind == RACE_READ || a->kind == RACE_WRITE) &&
               s->irrelevant(s->sites, &e, a->kind == RACE_READ ? 'r' : 'w');
}

struct deepen_race deepen_brief(const struct strategy *s, const struct race *r)
{
        return (struct deepen_race){.site = {r->access[0].site, r->access[1].site},
                                    .kind = {r->access[0].kind, r->access[1].kind},
                                    .first = (uint8_t)r->first,
                                    .orders = (uint8_t)(r->orders | r->first),
                                    .idle = is_idle(s, &r->access[0]) && is_idle(s, &r->access[1])};
}

static int deepen_raced(struct strategy *base, const struct race *races, uint32_t n)
{
        struct deepen *d = (struct deepen *)base;
        int e = 0;

        for (uint32_t i = 0; i < n && !e; i++) {
                struct deepen_race r;

                if (i >= d->counts.n) {
                        if (!vec_reserve(&d->counts, 1))
                                return -ENOMEM;
                        *vec_push(&d->counts) = 0;
                }
                if (d->counts.at[i] == races[i].count)
                        continue;
                d->counts.at[i] = races[i].count;
                r = deepen_brief(base, &races[i]);
                e = deepen_jobs_raced(&d->jobs, d->now, i, &r);
        }
        return e;
}

/* Called once the races of the execution are known, so that a job that is left has added its own. */
static void deepen_judged(struct strategy *base, bool failed)
{
        struct deepen *d = (struct deepen *)base;
        struct deepen_job *j = d->now;
        uint64_t before = j->begun_at;
        bool over = d->base.probing || deepen_jobs_ran(&d->jobs, j, base->now - d->began);

        if (over && !d->base.probing && d->probe[0]) {
                d->probes = base->found ? 0 : (uint32_t)((j->runs - before) / (d->cost < FAIR ? 2 : 10));
                j->begun_at = j->runs;
        }
        if (failed && !j->to_end) {
                d->probes = 0;
                leave(d);
                d->fresh = false;
                deepen_jobs_failed(&d->jobs, j);
        } else if (over && !d->probes) {
                guess(j);
                deepen_jobs_suspend(&d->jobs, j, base->now);
                leave(d);
        }
}

static void forget_looks(struct deepen *d)
{
        d->probes = 0;
        d->probed = d->cost = 0;
        d->base.probing = false;
        for (int i = 0; i < DEEPEN_PROBES && d->probe[0]; i++)
                d->probe[i]->ops->reset(d->probe[i]);
}

static void deepen_reset(struct strategy *base)
{
        struct deepen *d = (struct deepen *)base;

        d->now = d->last = NULL;
        d->fresh = false;
        d->counts.n = 0;
        forget_looks(d);
        deepen_jobs_reset(&d->jobs); /* there was memory for as much before */
}

static void deepen_save(const struct strategy *base, struct stream *out)
{
        const struct deepen *d = (const struct deepen *)base;

        stream_put_u32(out, d->now ? d->now->set.id : 0);
        stream_put_array(out, d->counts.at, d->counts.n, sizeof *d->counts.at);
        stream_put_u32(out, d->probes);
        stream_put_u64(out, d->probed);
        stream_put_u64(out, d->cost);
        for (int i = 0; i < DEEPEN_PROBES; i++) {
                stream_put_u32(out, d->probe[i] != NULL);
                if (d->probe[i])
                        d->probe[i]->ops->persist->save(d->probe[i], out);
        }
        deepen_jobs_save(&d->jobs, out);
}

static int load_looks(struct deepen *d, struct stream *in)
{
        d->probes = stream_get_u32(in);
        d->probed = stream_get_u64(in);
        d->cost = stream_get_u64(in);
        for (int i = 0; i < DEEPEN_PROBES; i++) {
                bool there = stream_get_max(in, 1);
                struct strategy *probe = d->probe[i] || !there ? d->probe[i] : random_create(WIRE_TAIL_POS, 0, 0, 0);
                int e = there && (!probe || probe->ops->persist->load(probe, in)) ? -EINVAL : 0;

                if (probe && probe != d->probe[i])
                        probe->ops->destroy(probe); /* it was stored by one with probes */
                if (e)
                        return e;
        }
        if (!d->probe[0])
                d->probes = 0;
        return in->failed ? -EINVAL : 0;
}

static int deepen_load(struct strategy *base, struct stream *in)
{
        struct deepen *d = (struct deepen *)base;
        uint32_t now = stream_get_u32(in), n = stream_get_count(in, UINT32_MAX - 1, sizeof *d->counts.at);
        int e = -EINVAL;

        forget_looks(d);
        d->now = d->last = NULL;
        d->fresh = false;
        d->counts.n = 0;
        if (vec_reserve(&d->counts, n + 1)) {
                d->counts.n = n;
                stream_get(in, d->counts.at, n * sizeof *d->counts.at);
                e = load_looks(d, in);
        }
        if (!e)
                e = deepen_jobs_load(&d->jobs, in);
        if (!e && now)
                d->now = deepen_jobs_find(&d->jobs, now);
        if (!e && now && (!d->now || !d->now->inner))
                e = -EINVAL;
        if (e)
                deepen_reset(base);
        else if (d->now)
                d->now->running = true;
        return e;
}

static void deepen_report(const struct strategy *base, void (*f)(void *arg, const struct point_set_result *told),
                          void *arg)
{
        const struct deepen *d = (const struct deepen *)base;

        for (uint32_t i = 0; i < d->jobs.all.n; i++) {
                const struct deepen_job *j = d->jobs.all.at[i];
                struct point_set_result told = {.state = j->state,
                                                .classes = j->set.classes,
                                                .sites = j->set.sites,
                                                .n_sites = j->set.n_sites,
                                                .executions = j->runs,
                                                .seconds = j->seconds,
                                                .maximal = deepen_jobs_maximal(&d->jobs, j)};
                if (!j->superseded)
                        f(arg, &told);
        }
}

static void deepen_destroy(struct strategy *base)
{
        struct deepen *d = (struct deepen *)base;

        deepen_jobs_fini(&d->jobs);
        vec_fini(&d->counts);
        for (int i = 0; i < DEEPEN_PROBES; i++)
                if (d->probe[i])
                        d->probe[i]->ops->destroy(d->probe[i]);
        free(d);
}

static const struct persist_ops deepen_persist = {.format = "deepen", .save = deepen_save, .load = deepen_load};
static const struct points_ops deepen_points = {
        .raced = deepen_raced, .judged = deepen_judged, .report = deepen_report};

static const struct strategy_ops deepen_ops = {
        .next = deepen_next,
        .learn = deepen_learn,
        .reset = deepen_reset,
        .destroy = deepen_destroy,
        .persist = &deepen_persist,
        .points = &deepen_points,
        .share = &deepen_share,
        .plan = &deepen_plan,
};

/* seconds: the budget that it plans with; 0: none.  probes: random schedules of that seed, too. */
static struct strategy *deepen_create(double seconds, bool probes, uint64_t seed)
{
        static const uint32_t tails[DEEPEN_PROBES] = {WIRE_TAIL_POS, WIRE_TAIL_RANDOM};
        struct deepen *d = calloc(1, sizeof *d);

        if (!d)
                return NULL;
        d->base.ops = &deepen_ops;
        for (int i = 0; i < DEEPEN_PROBES && probes; i++)
                probes = (d->probe[i] = random_create(tails[i], seed, 0, 0)) != NULL;
        if ((!d->probe[0] || probes) && deepen_jobs_init(&d->jobs, seconds))
                return &d->base;
        deepen_destroy(&d->base);
        return NULL;
}

struct strategy *deepen_make(const struct config *config, bool blocks)
{
        if (config->maximal || config_many(config)) /* they cannot agree on which sets are worth while */
                return optimal_create(blocks);
        return deepen_create(config->seconds, !maker_wants_all(config) && !config_shared(config), config->seed);
}
