/*
 * Iterative deepening over sets of preemption points (Blum, Gibson: Stateless model checking with data-race preemption points,
 * OOPSLA 2016, algorithms 1 to 3): small sets are explored first, and a set that would take too long waits.
 *
 * A *job* is a set of points with a search of its own, optimal.c.  Waiting, yielding and thread creation are always points.
 * The first jobs are {}, {acquire}, {release} and both.  Every access that is found racing adds a small job, it alone, and a
 * big one, it beside the points of the job that found it; a race seen in one order only adds those of its earlier access,
 * until the other order is seen.  When there is nothing else left, the *maximal* set is explored: all synchronisation and both
 * accesses of every race.  Completing that is a proof (docs/SOUNDNESS.md, `--preempt races`).
 *
 * A job that, after 32 executions, is estimated to take more than twice the time left is suspended; which one goes on
 * is algorithm 3: a pending one of which no suspended one is a part, else the suspended one that ends soonest.  Without
 * --time the time left is a horizon that doubles whenever only suspended jobs are left.
 *
 * Under --keep-going a job ends at its first failure, and those that contain it are dropped.
 *
 * Departures: jobs are ranked by the number of their points; the big jobs are those of the job that found the race first, and
 * the way from them to the maximal set is one step.
 */
#include "explore/deepen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore/session.h"

#define PATIENCE 32   /* executions before a job may be suspended */
#define FACTOR   2.0  /* how wrong an estimate may be */
#define HORIZON  10.0 /* seconds */
#define MAX_JOBS 4096

struct job {
        struct point_set set;   /* its sites ascend */
        struct strategy *inner; /* NULL unless it is under way */
        struct estimate estimate;
        enum point_set_state state;
        bool both; /* seen in both orders: tried before others of its size */
        uint64_t runs;
        double seconds, eta;
};

struct deepen {
        struct strategy base;
        VEC(struct job *) jobs;
        VEC(uint64_t) sites; /* of all races: the maximal set, ascending */
        VEC(uint8_t) orders; /* of each race, those that jobs were added for */
        struct job *now;
        uint32_t last_id;      /* of a set */
        double started, began; /* the exploration, the execution under way */
        double limit;          /* of the time that is planned for */
        bool open;             /* no --time: it grows */
        bool fresh;            /* the last trace was of the present job */
};

/* Sets. */

static bool has_site(const struct point_set *p, uint64_t site)
{
        for (uint32_t i = 0; i < p->n_sites; i++)
                if (p->sites[i] == site)
                        return true;
        return false;
}

static bool contains(const struct point_set *big, const struct point_set *small)
{
        if (small->classes & ~big->classes)
                return false;
        for (uint32_t i = 0; i < small->n_sites; i++)
                if (!has_site(big, small->sites[i]))
                        return false;
        return true;
}

static bool part_of(const struct point_set *small, const struct point_set *big)
{
        return contains(big, small) && !contains(small, big);
}

static double rank_of(const struct job *j)
{
        double r = j->set.n_sites;

        r += j->set.classes & WIRE_POINT_ACQUIRE ? 2 : 0;
        r += j->set.classes & WIRE_POINT_RELEASE ? 2.25 : 0;
        return j->both ? r - 0.5 : r;
}

/* Jobs. */

static void job_end(struct job *j, enum point_set_state state)
{
        j->state = state;
        if (j->inner)
                j->inner->ops->destroy(j->inner);
        j->inner = NULL;
        estimate_fini(&j->estimate);
        memset(&j->estimate, 0, sizeof j->estimate);
}

static bool above_failing(const struct deepen *d, const struct point_set *set)
{
        for (uint32_t i = 0; i < d->jobs.n; i++)
                if (d->jobs.at[i]->state == POINT_SET_FAILING && contains(set, &d->jobs.at[i]->set))
                        return true;
        return false;
}

/* A job of these points and one more place, 0: none; NULL only without memory. */
static struct job *add_job(struct deepen *d, uint32_t classes, const uint64_t *sites, uint32_t n, uint64_t more,
                           bool both)
{
        struct job *j = calloc(1, sizeof *j);
        uint64_t *all = malloc((n + 1) * sizeof *all);
        uint32_t k = 0, i = 0;

        if (!j || !all || !vec_reserve(&d->jobs, 1)) {
                free(j);
                free(all);
                return NULL;
        }
        while (i < n && (!more || sites[i] < more))
                all[k++] = sites[i++];
        if (more)
                all[k++] = more;
        i += more && i < n && sites[i] == more;
        while (i < n)
                all[k++] = sites[i++];
        j->set = (struct point_set){.classes = classes, .sites = all, .n_sites = k, .id = ++d->last_id};
        j->both = both;
        j->state = above_failing(d, &j->set) ? POINT_SET_CANCELLED : POINT_SET_PENDING;
        *vec_push(&d->jobs) = j;
        return j;
}

static bool begin(struct deepen *d)
{
        static const uint32_t seeds[] = {0, WIRE_POINT_ACQUIRE, WIRE_POINT_RELEASE, WIRE_POINT_SYNC};

        for (uint32_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
                if (!add_job(d, seeds[i], NULL, 0, 0, false))
                        return false;
        return true;
}

static bool is_maximal(const struct deepen *d, const struct job *j)
{
        struct point_set all = {.classes = WIRE_POINT_SYNC, .sites = d->sites.at, .n_sites = d->sites.n};

        return contains(&j->set, &all);
}

/* Algorithm 2: this place races, as the present job shows. */
static bool add_place(struct deepen *d, uint64_t site, bool both)
{
        const struct point_set *now = &d->now->set;
        bool covered = has_site(now, site), small = false;

        if (d->jobs.n >= MAX_JOBS)
                return true; /* the maximal set will have it */
        for (uint32_t i = 0; i < d->jobs.n; i++) {
                const struct point_set *p = &d->jobs.at[i]->set;

                covered |= contains(p, now) && has_site(p, site);
                small |= !p->classes && p->n_sites == 1 && p->sites[0] == site;
        }
        if (!covered && !add_job(d, now->classes, now->sites, now->n_sites, site, both))
                return false;
        small |= !covered && !now->classes && !now->n_sites;
        return small || add_job(d, 0, NULL, 0, site, both);
}

static bool know_site(struct deepen *d, uint64_t site)
{
        uint32_t i = d->sites.n;

        for (uint32_t k = 0; k < d->sites.n; k++)
                if (d->sites.at[k] == site)
                        return true;
        if (!vec_reserve(&d->sites, 1))
                return false;
        *vec_push(&d->sites) = site;
        for (; i > 0 && d->sites.at[i - 1] > site; i--)
                d->sites.at[i] = d->sites.at[i - 1];
        d->sites.at[i] = site;
        return true;
}

static bool note_race(struct deepen *d, const struct race *r, uint8_t *noted)
{
        uint32_t orders = r->orders | r->first, early = r->first == RACE_FORWARD ? 0 : 1;
        bool both = orders == (RACE_FORWARD | RACE_BACKWARD);

        for (uint32_t i = 0; i < 2; i++) {
                const struct race_access *a = &r->access[i];

                if (race_is_atomic(a->kind))
                        continue;
                if (!know_site(d, a->site))
                        return false;
                if ((both || i == early) && !add_place(d, a->site, both))
                        return false;
        }
        *noted = (uint8_t)orders;
        return true;
}

static int deepen_raced(struct strategy *base, const struct race *races, uint32_t n)
{
        struct deepen *d = (struct deepen *)base;

        for (uint32_t i = 0; i < n && d->now; i++) {
                if (i >= d->orders.n) {
                        if (!vec_reserve(&d->orders, 1))
                                return -ENOMEM;
                        *vec_push(&d->orders) = 0;
                }
                if (((races[i].orders | races[i].first) & ~d->orders.at[i]) &&
                    !note_race(d, &races[i], &d->orders.at[i]))
                        return -ENOMEM;
        }
        return 0;
}

/* Algorithm 3. */

static double time_left(const struct deepen *d)
{
        double left = d->started + d->limit - session_now();

        return left > 0 ? left : 0;
}

static bool part_is_suspended(const struct deepen *d, const struct job *j)
{
        for (uint32_t i = 0; i < d->jobs.n; i++)
                if (d->jobs.at[i]->state == POINT_SET_SUSPENDED && part_of(&d->jobs.at[i]->set, &j->set))
                        return true;
        return false;
}

/* The best pending job, or the best suspended one; `than`: only one that is better than this, which takes too long. */
static struct job *choose(const struct deepen *d, const struct job *than)
{
        struct job *best = NULL;

        for (uint32_t i = 0; i < d->jobs.n; i++) {
                struct job *j = d->jobs.at[i];
                if (j->state == POINT_SET_PENDING && j != than && !part_is_suspended(d, j) &&
                    !(than && part_of(&than->set, &j->set)) && (!best || rank_of(j) < rank_of(best)))
                        best = j;
        }
        for (uint32_t i = 0; i < d->jobs.n && (!best || best->state == POINT_SET_SUSPENDED); i++) {
                struct job *j = d->jobs.at[i];
                if (j->state != POINT_SET_SUSPENDED || j == than || part_is_suspended(d, j))
                        continue;
                if (than && (part_of(&than->set, &j->set) || than->eta <= j->eta))
                        continue;
                if (!best || j->eta < best->eta)
                        best = j;
        }
        return best;
}

static bool guess(struct job *j)
{
        struct estimate_guess g;
        uint32_t branch;

        if (!j->estimate.spent)
                return false;
        g = estimate_guess(&j->estimate, j->inner->ops->path(j->inner, &branch), j->inner->ops->level, j->inner);
        j->eta = (g.cost - j->estimate.spent) / j->estimate.spent * j->seconds;
        return true;
}

/* The present job has run for a while: is another one better? */
static void reconsider(struct deepen *d)
{
        struct job *j = d->now, *other;

        if (j->runs % PATIENCE || !guess(j) || j->eta < FACTOR * time_left(d))
                return;
        other = choose(d, j);
        if (!other)
                return;
        j->state = POINT_SET_SUSPENDED;
        d->now = NULL;
}

static int start(struct deepen *d)
{
        struct job *j = choose(d, NULL), *maximal = NULL;

        for (uint32_t i = 0; i < d->jobs.n; i++)
                if (is_maximal(d, d->jobs.at[i]))
                        maximal = d->jobs.at[i];
        if (!j && !maximal)
                j = add_job(d, WIRE_POINT_SYNC, d->sites.at, d->sites.n, 0, true);
        if (!j && !maximal)
                return -ENOMEM;
        if (!j || j->state == POINT_SET_CANCELLED) {
                d->base.partial = "sets of preemption points that contain one that fails were not explored";
                return 0;
        }
        if (j->state == POINT_SET_SUSPENDED && d->open)
                d->limit = HORIZON + 2 * (session_now() - d->started);
        if (!j->inner)
                j->inner = optimal_create(true);
        if (!j->inner)
                return -ENOMEM;
        j->state = POINT_SET_PENDING;
        d->now = j;
        d->fresh = false;
        return 1;
}

/* The strategy. */

static int deepen_next(struct strategy *base, struct schedule *out)
{
        struct deepen *d = (struct deepen *)base;

        for (;;) {
                int r = d->now ? 1 : start(d);

                if (r <= 0)
                        return r;
                r = d->now->inner->ops->next(d->now->inner, out);
                if (r < 0)
                        return r;
                if (r > 0) {
                        out->points = &d->now->set;
                        d->began = session_now();
                        return r;
                }
                struct job *j = d->now;
                d->now = NULL;
                job_end(j, POINT_SET_DONE);
                if (is_maximal(d, j))
                        return 0;
        }
}

static void fail_job(struct deepen *d)
{
        struct job *j = d->now;

        job_end(j, POINT_SET_FAILING);
        d->now = NULL;
        for (uint32_t i = 0; i < d->jobs.n; i++) {
                struct job *k = d->jobs.at[i];
                if ((k->state == POINT_SET_PENDING || k->state == POINT_SET_SUSPENDED) && contains(&k->set, &j->set))
                        job_end(k, POINT_SET_CANCELLED);
        }
}

static int deepen_learn(struct strategy *base, const struct trace *t)
{
        struct deepen *d = (struct deepen *)base;
        struct job *j = d->now;
        uint32_t branch, depth;
        int r = j->inner->ops->learn(j->inner, t);

        d->fresh = true;
        j->runs++;
        j->seconds += session_now() - d->began;
        depth = j->inner->ops->path(j->inner, &branch);
        if (!r && depth && estimate_add(&j->estimate, branch, depth, 1))
                r = -ENOMEM;
        return r;
}

/* Called once the races of the execution are known, so that a job that is left has added its own. */
static void deepen_judged(struct strategy *base, bool failed)
{
        struct deepen *d = (struct deepen *)base;

        if (!d->now)
                return;
        if (failed)
                fail_job(d);
        else
                reconsider(d);
}

static uint32_t deepen_known(const struct strategy *base)
{
        const struct deepen *d = (const struct deepen *)base;

        return d->fresh && d->now ? d->now->inner->ops->known(d->now->inner) : 0;
}

static void clear(struct deepen *d)
{
        for (uint32_t i = 0; i < d->jobs.n; i++) {
                job_end(d->jobs.at[i], POINT_SET_CANCELLED);
                free((void *)d->jobs.at[i]->set.sites);
                free(d->jobs.at[i]);
        }
        d->jobs.n = d->sites.n = d->orders.n = 0;
        d->now = NULL;
        d->base.partial = NULL;
}

static void deepen_reset(struct strategy *base)
{
        struct deepen *d = (struct deepen *)base;

        clear(d);
        begin(d); /* there was memory for as much before */
}

static void deepen_tell(const struct strategy *base, void (*f)(void *arg, const struct point_set_told *told), void *arg)
{
        const struct deepen *d = (const struct deepen *)base;

        for (uint32_t i = 0; i < d->jobs.n; i++) {
                const struct job *j = d->jobs.at[i];
                struct point_set_told told = {.state = j->state,
                                              .classes = j->set.classes,
                                              .sites = j->set.sites,
                                              .n_sites = j->set.n_sites,
                                              .executions = j->runs,
                                              .seconds = j->seconds,
                                              .maximal = is_maximal(d, j)};
                f(arg, &told);
        }
}

static void deepen_destroy(struct strategy *base)
{
        struct deepen *d = (struct deepen *)base;

        clear(d);
        vec_fini(&d->jobs);
        vec_fini(&d->sites);
        vec_fini(&d->orders);
        free(d);
}

static const struct strategy_ops deepen_ops = {
        .name = "deepen",
        .next = deepen_next,
        .learn = deepen_learn,
        .known = deepen_known,
        .reset = deepen_reset,
        .raced = deepen_raced,
        .judged = deepen_judged,
        .tell = deepen_tell,
        .destroy = deepen_destroy,
};

struct strategy *deepen_create(double seconds)
{
        struct deepen *d = calloc(1, sizeof *d);

        if (!d)
                return NULL;
        d->base.ops = &deepen_ops;
        d->started = session_now();
        d->open = seconds <= 0;
        d->limit = d->open ? HORIZON : seconds;
        if (begin(d))
                return &d->base;
        deepen_destroy(&d->base);
        return NULL;
}
