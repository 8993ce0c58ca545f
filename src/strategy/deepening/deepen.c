/*
 * Iterative deepening over sets of preemption points (Blum, Gibson: Stateless model checking with data-race preemption points,
 * OOPSLA 2016): each set is a job with a search of its own, optimal.c; deepen_sets.c says which there are and whose turn
 * it is.
 *
 * A search goes depth first, so what the first decisions of an execution spoil it shows last.  Hence a job that is not done
 * when its turn ends also has some random schedules over its points: half as many as the turn had, until these have cost
 * FAIR transitions, then a tenth.  They are no part of the figures (`looking`), but races that they show count.
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
                base->looking = d->looks > 0;
                r = base->looking ? d->look[d->looked % DEEPEN_LOOKS]->ops->next(d->look[d->looked % DEEPEN_LOOKS], out)
                                  : j->inner->ops->next(j->inner, out);
                if (r < 0)
                        return r;
                if (r > 0) {
                        out->points = &j->set;
                        d->began = base->now;
                        if (!d->fresh || base->looking)
                                out->known = 0;
                        return r;
                }
                if (base->looking) { /* there is nothing to decide */
                        d->looks = 0;
                        continue;
                }
                leave(d);
                d->fresh = false;
                deepen_jobs_done(&d->jobs, j);
        }
}

static int learn_look(struct deepen *d, const struct trace *t)
{
        struct strategy *look = d->look[d->looked % DEEPEN_LOOKS];

        d->fresh = false;
        d->looks--;
        d->looked++;
        d->cost += t->n_transitions;
        return look->ops->learn(look, t);
}

static int deepen_learn(struct strategy *base, const struct trace *t)
{
        struct deepen *d = (struct deepen *)base;
        struct deepen_job *j = d->now;
        uint32_t branch, depth;
        int r;

        if (base->looking)
                return learn_look(d, t);
        r = j->inner->ops->learn(j->inner, t);
        d->fresh = true;
        depth = strategy_path(j->inner, &branch);
        if (r >= 0 && depth && estimate_add(&j->estimate, branch, depth, 1))
                r = -ENOMEM;
        return r;
}

struct deepen_race deepen_brief(const struct race *r)
{
        return (struct deepen_race){.site = {r->access[0].site, r->access[1].site},
                                    .kind = {r->access[0].kind, r->access[1].kind},
                                    .first = (uint8_t)r->first,
                                    .orders = (uint8_t)(r->orders | r->first)};
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
                r = deepen_brief(&races[i]);
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
        bool over = d->base.looking || deepen_jobs_ran(&d->jobs, j, base->now - d->began);

        if (over && !d->base.looking && d->look[0]) {
                d->looks = base->found ? 0 : (uint32_t)((j->runs - before) / (d->cost < FAIR ? 2 : 10));
                j->begun_at = j->runs;
        }
        if (failed && !j->to_end) {
                d->looks = 0;
                leave(d);
                d->fresh = false;
                deepen_jobs_failed(&d->jobs, j);
        } else if (over && !d->looks) {
                guess(j);
                deepen_jobs_suspend(&d->jobs, j, base->now);
                leave(d);
        }
}

static void forget_looks(struct deepen *d)
{
        d->looks = 0;
        d->looked = d->cost = 0;
        d->base.looking = false;
        for (int i = 0; i < DEEPEN_LOOKS && d->look[0]; i++)
                d->look[i]->ops->reset(d->look[i]);
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
        stream_put_u32(out, d->looks);
        stream_put_u64(out, d->looked);
        stream_put_u64(out, d->cost);
        for (int i = 0; i < DEEPEN_LOOKS; i++) {
                stream_put_u32(out, d->look[i] != NULL);
                if (d->look[i])
                        d->look[i]->ops->persist->save(d->look[i], out);
        }
        deepen_jobs_save(&d->jobs, out);
}

static int load_looks(struct deepen *d, struct stream *in)
{
        d->looks = stream_get_u32(in);
        d->looked = stream_get_u64(in);
        d->cost = stream_get_u64(in);
        for (int i = 0; i < DEEPEN_LOOKS; i++) {
                bool there = stream_get_max(in, 1);
                struct strategy *look = d->look[i] || !there ? d->look[i] : random_create(WIRE_TAIL_POS, 0, 0, 0);
                int e = there && (!look || look->ops->persist->load(look, in)) ? -EINVAL : 0;

                if (look && look != d->look[i])
                        look->ops->destroy(look); /* who stored it had looks, who goes on has none */
                if (e)
                        return e;
        }
        if (!d->look[0])
                d->looks = 0;
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

static void deepen_tell(const struct strategy *base, void (*f)(void *arg, const struct point_set_told *told), void *arg)
{
        const struct deepen *d = (const struct deepen *)base;

        for (uint32_t i = 0; i < d->jobs.all.n; i++) {
                const struct deepen_job *j = d->jobs.all.at[i];
                struct point_set_told told = {.state = j->state,
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
        for (int i = 0; i < DEEPEN_LOOKS; i++)
                if (d->look[i])
                        d->look[i]->ops->destroy(d->look[i]);
        free(d);
}

static const struct persist_ops deepen_persist = {.format = "deepen", .save = deepen_save, .load = deepen_load};
static const struct points_ops deepen_points = {.raced = deepen_raced, .judged = deepen_judged, .tell = deepen_tell};

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

/* seconds: the budget that it plans with; 0: none.  looks: probes, random schedules of that seed, too. */
static struct strategy *deepen_create(double seconds, bool looks, uint64_t seed)
{
        static const uint32_t tails[DEEPEN_LOOKS] = {WIRE_TAIL_POS, WIRE_TAIL_RANDOM};
        struct deepen *d = calloc(1, sizeof *d);

        if (!d)
                return NULL;
        d->base.ops = &deepen_ops;
        for (int i = 0; i < DEEPEN_LOOKS && looks; i++)
                looks = (d->look[i] = random_create(tails[i], seed, 0, 0)) != NULL;
        if ((!d->look[0] || looks) && deepen_jobs_init(&d->jobs, seconds))
                return &d->base;
        deepen_destroy(&d->base);
        return NULL;
}

struct strategy *deepen_make(const struct config *config, bool blocks)
{
        if (config->maximal)
                return optimal_create(blocks);
        return deepen_create(config->seconds, !maker_wants_all(config) && config->jobs <= 1, config->seed);
}
