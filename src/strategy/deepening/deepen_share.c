/*
 * The sets of deepen.c, explored by several.
 *
 * The coordinator has the list of jobs; each job is a search of optimal.c, in one explorer or split among several
 * (optimal_share.c).  An explorer tells what concerns others: races that its search shows in an order that it has not shown
 * before, and that it fails.
 */
#include "strategy/deepening/deepen_share.h"

#include <errno.h>
#include <stdlib.h>

#include "strategy/dpor/optimal.h"

/* The coordinator's part. */

static bool hand_over(struct strategy *base, bool (*f)(void *arg, uint32_t search, const struct stream *state),
                      void *arg)
{
        struct deepen *d = (struct deepen *)base;
        struct stream state = STREAM_INIT;
        bool ok = true;

        for (uint32_t i = 0; i < d->jobs.all.n && ok; i++) {
                struct deepen_job *j = d->jobs.all.at[i];

                j->running = false;
                if (!j->inner)
                        continue;
                stream_reset(&state);
                j->inner->ops->persist->save(j->inner, &state);
                ok = !state.failed && f(arg, j->set.id, &state);
                j->inner->ops->destroy(j->inner);
                j->inner = NULL;
                j->begun = true;
        }
        stream_fini(&state);
        d->now = d->last = NULL;
        d->fresh = false;
        return ok;
}

static uint32_t pick(struct strategy *base, bool *fresh, bool *failed)
{
        struct deepen *d = (struct deepen *)base;
        struct deepen_job *j = deepen_jobs_pick(&d->jobs, base->now, failed);

        if (!j)
                return 0;
        *fresh = !j->begun;
        j->begun = j->running = true;
        return j->set.id;
}

static enum plan_state state(const struct strategy *base, uint32_t search)
{
        const struct deepen_job *j = deepen_jobs_find(&((const struct deepen *)base)->jobs, search);

        if (!j || (j->state != POINT_SET_PENDING && j->state != POINT_SET_SUSPENDED))
                return PLAN_OVER;
        return j->running ? PLAN_OPEN : PLAN_HELD;
}

static void spent(struct strategy *base, uint32_t search, uint64_t runs, double seconds, double share)
{
        struct deepen *d = (struct deepen *)base;
        struct deepen_job *j = deepen_jobs_find(&d->jobs, search);

        if (!j)
                return;
        deepen_jobs_spent(&d->jobs, j, runs, seconds);
        if (share <= 0)
                return;
        j->eta = (1 - share) / share * j->seconds;
        if (deepen_jobs_suspend(&d->jobs, j, base->now))
                j->running = false;
}

static void done(struct strategy *base, uint32_t search)
{
        struct deepen *d = (struct deepen *)base;

        deepen_jobs_done(&d->jobs, deepen_jobs_find(&d->jobs, search));
}

static bool proven(const struct strategy *base)
{
        return ((const struct deepen *)base)->jobs.proven;
}

static void put_set(const struct strategy *base, uint32_t search, struct stream *out)
{
        const struct deepen_job *j = deepen_jobs_find(&((const struct deepen *)base)->jobs, search);

        stream_put_u32(out, j->set.id);
        stream_put_u32(out, j->set.classes);
        stream_put_u32(out, j->to_end);
        stream_put_array(out, j->set.sites, j->set.n_sites, sizeof *j->set.sites);
}

enum news { NEWS_RACE, NEWS_FAILED };

static int hear(struct strategy *base, uint32_t search, struct stream *in)
{
        struct deepen *d = (struct deepen *)base;
        struct deepen_job *j = deepen_jobs_find(&d->jobs, search);
        int e = 0;

        while (j && !e && !stream_done(in)) {
                struct deepen_race r;

                if (stream_get_max(in, NEWS_FAILED) == NEWS_FAILED) {
                        if (j->state == POINT_SET_PENDING || j->state == POINT_SET_SUSPENDED)
                                deepen_jobs_failed(&d->jobs, j);
                        continue;
                }
                stream_get(in, &r, sizeof r);
                if (in->failed || r.kind[0] >= RACE_KINDS || r.kind[1] >= RACE_KINDS ||
                    (r.first != RACE_FORWARD && r.first != RACE_BACKWARD) || r.orders > (RACE_FORWARD | RACE_BACKWARD))
                        return -EINVAL;
                e = deepen_jobs_raced(&d->jobs, j, UINT32_MAX, &r);
        }
        if (!e && !deepen_jobs_renew(&d->jobs))
                e = -ENOMEM;
        return j && !in->failed ? e : -EINVAL;
}

/* The explorer's part. */

struct search {
        struct strategy base;
        struct strategy *inner; /* owned */
        struct point_set set;   /* its sites are owned */
        bool to_end;            /* failures do not end it */
        bool over;
        VEC(uint64_t) counts; /* of each race, as in struct deepen */
        VEC(uint8_t) noted;   /* of each race: the orders that were sent, of this search */
        struct stream news;
};

static struct search *of(struct strategy *base)
{
        return (struct search *)base;
}

static struct strategy *inner_of(const struct strategy *base)
{
        return ((const struct search *)base)->inner;
}

static int search_next(struct strategy *base, struct schedule *out)
{
        struct search *x = of(base);
        int r = x->over ? 0 : x->inner->ops->next(x->inner, out);

        if (r > 0)
                out->points = &x->set;
        return r;
}

static int search_learn(struct strategy *base, const struct trace *t)
{
        return inner_of(base)->ops->learn(inner_of(base), t);
}

static void search_begin(struct strategy *base)
{
        of(base)->over = false;
        stream_reset(&of(base)->news);
        inner_of(base)->ops->reset(inner_of(base));
}

/* Races are forgotten, too, and sets have new ids. */
static void search_reset(struct strategy *base)
{
        of(base)->counts.n = of(base)->noted.n = 0;
        search_begin(base);
}

static void search_save(const struct strategy *base, struct stream *out)
{
        inner_of(base)->ops->persist->save(inner_of(base), out);
}

static int search_load(struct strategy *base, struct stream *in)
{
        of(base)->over = false;
        return inner_of(base)->ops->persist->load(inner_of(base), in);
}

static uint32_t search_path(const struct strategy *base, uint32_t *branch)
{
        return strategy_path(inner_of(base), branch);
}

static struct estimate_level search_level(const void *strategy, uint32_t i)
{
        return inner_of(strategy)->ops->tree->level(inner_of(strategy), i);
}

static int search_take_set(struct strategy *base, struct stream *in)
{
        struct search *x = of(base);
        uint32_t id = stream_get_u32(in);

        if (id != x->set.id)
                x->noted.n = 0;
        free((void *)x->set.sites);
        x->set = (struct point_set){.id = id, .classes = stream_get_max(in, WIRE_POINT_SYNC)};
        x->to_end = stream_get_max(in, 1);
        x->set.sites = stream_get_array(in, WIRE_MAX_SITES, sizeof *x->set.sites, &x->set.n_sites);
        return in->failed ? -EINVAL : 0;
}

static int search_raced(struct strategy *base, const struct race *races, uint32_t n)
{
        struct search *x = of(base);

        if (!vec_reserve(&x->counts, n + 1) || !vec_reserve(&x->noted, n + 1))
                return -ENOMEM;
        while (x->counts.n < n)
                *vec_push(&x->counts) = 0;
        while (x->noted.n < n)
                *vec_push(&x->noted) = 0;
        for (uint32_t i = 0; i < n; i++) {
                struct deepen_race r = deepen_brief(base, &races[i]);

                if (x->counts.at[i] != races[i].count && (r.orders & ~x->noted.at[i])) {
                        stream_put_u32(&x->news, NEWS_RACE);
                        stream_put(&x->news, &r, sizeof r);
                        x->noted.at[i] = r.orders;
                }
                x->counts.at[i] = races[i].count;
        }
        return x->news.failed ? -ENOMEM : 0;
}

static void search_judged(struct strategy *base, bool failed)
{
        struct search *x = of(base);

        if (!failed || x->to_end)
                return;
        x->over = true;
        stream_put_u32(&x->news, NEWS_FAILED);
}

static struct stream *search_news(struct strategy *base)
{
        return &of(base)->news;
}

static bool search_split(struct strategy *base, struct stream *out)
{
        return !of(base)->over && inner_of(base)->ops->share->split(inner_of(base), out);
}

static int search_adopt(struct strategy *base, struct stream *in)
{
        of(base)->over = false;
        return inner_of(base)->ops->share->adopt(inner_of(base), in);
}

static bool search_seed(struct strategy *base, const struct trace *t)
{
        const struct share_ops *share = inner_of(base)->ops->share;

        return !share->seed || share->seed(inner_of(base), t);
}

static bool search_clean(const struct strategy *base)
{
        const struct share_ops *share = inner_of(base)->ops->share;

        return !share->clean || share->clean(inner_of(base));
}

static uint32_t search_asleep(const struct strategy *base)
{
        const struct share_ops *share = inner_of(base)->ops->share;

        return share->asleep ? share->asleep(inner_of(base)) : 0;
}

static void search_first(struct strategy *base, struct stream *out)
{
        inner_of(base)->ops->share->first(inner_of(base), out);
}

static struct stream *search_races(struct strategy *base)
{
        return inner_of(base)->ops->share->races(inner_of(base));
}

static uint32_t search_own(const struct strategy *base)
{
        return inner_of(base)->ops->share->own(inner_of(base));
}

static void search_destroy(struct strategy *base)
{
        struct search *x = of(base);

        if (x->inner)
                x->inner->ops->destroy(x->inner);
        free((void *)x->set.sites);
        vec_fini(&x->counts);
        vec_fini(&x->noted);
        stream_fini(&x->news);
        free(x);
}

const struct share_ops deepen_share = {
        .split = search_split,
        .seed = search_seed,
        .clean = search_clean,
        .asleep = search_asleep,
        .adopt = search_adopt,
        .first = search_first,
        .races = search_races,
        .own = search_own,
        .begin = search_begin,
        .take_set = search_take_set,
        .news = search_news,
};

static const struct persist_ops search_persist = {.format = "deepen", .save = search_save, .load = search_load};
static const struct tree_ops search_tree = {.path = search_path, .level = search_level};
static const struct points_ops search_points = {.raced = search_raced, .judged = search_judged};

static const struct strategy_ops search_ops = {
        .next = search_next,
        .learn = search_learn,
        .reset = search_reset,
        .destroy = search_destroy,
        .persist = &search_persist,
        .tree = &search_tree,
        .points = &search_points,
        .share = &deepen_share,
};

static struct strategy *explorer(void)
{
        struct search *x = calloc(1, sizeof *x);

        if (!x)
                return NULL;
        x->base.ops = &search_ops;
        x->inner = optimal_create(true);
        if (x->inner)
                return &x->base;
        search_destroy(&x->base);
        return NULL;
}

const struct plan_ops deepen_plan = {
        .explorer = explorer,
        .hand_over = hand_over,
        .pick = pick,
        .state = state,
        .spent = spent,
        .done = done,
        .proven = proven,
        .put_set = put_set,
        .hear = hear,
};
