/*
 * Which sets of preemption points there are, and whose turn it is (Blum, Gibson, OOPSLA 2016, algorithms 1 to 3).
 *
 * Waiting, yielding and thread creation are always points.  The first jobs are {}, {acquire}, {release} and both.  Every
 * access that is found racing adds a small job, it alone, and a big one, it beside the points of the job that shows the race;
 * a race seen in one order only adds those of its earlier access, until the other order is seen.  Beside these there is
 * always the *maximal* set: all synchronisation and both accesses of every race.  Completing that is a proof
 * (docs/proofs/preemption.md).  A new race makes it larger, and it restarts.
 *
 * The paper runs as many jobs at once as there are processors.  One explorer has turns instead: a job gets 8, 16, 32 ...
 * executions, those with the fewest turns first and of these the smallest; and every second execution is one of the maximal
 * set.  So what any job shows soon is shown soon, and nothing takes much longer than twice as long as the proof.
 *
 * A job that, after 32 executions, is estimated to take more than twice the time left is suspended; which one continues
 * then is algorithm 3: a pending one of which no suspended one is a part, else the suspended one that ends soonest.  Without
 * --time the time left is a horizon that grows whenever only suspended jobs are left.
 *
 * What can happen with few points can happen with more: when a job is done, those that are a part of it are, too.
 *
 * Under --keep-going a job ends at its first failure, and those that contain it are cancelled.  When nothing else is left,
 * the maximal set is explored all the same, to its end: --keep-going finds all failures.
 *
 * Departure: there are at most MAX_JOBS; places beyond that are in the maximal set only.
 */
#include "strategy/deepening/deepen_sets.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR     2.0  /* how wrong an estimate may be */
#define HORIZON    10.0 /* seconds */
#define MAX_JOBS   512u
#define FIRST_TURN 8u
#define MAX_ROUND  20u

/* Sets. */

static bool has_site(const struct point_set *p, uint64_t site)
{
        uint32_t at = SEARCH(i, p->n_sites, p->sites[i] < site);

        return at < p->n_sites && p->sites[at] == site;
}

static bool contains(const struct point_set *big, const struct point_set *small)
{
        if (small->classes & ~big->classes || small->n_sites > big->n_sites)
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

static double rank_of(const struct deepen_job *j)
{
        double r = j->set.n_sites;

        r += j->set.classes & WIRE_POINT_ACQUIRE ? 2 : 0;
        r += j->set.classes & WIRE_POINT_RELEASE ? 2.25 : 0;
        r += j->idle ? 0.75 : 0;
        return j->both ? r - 0.5 : r;
}

bool deepen_jobs_maximal(const struct deepen_jobs *p, const struct deepen_job *j)
{
        return !(WIRE_POINT_SYNC & ~j->set.classes) && j->set.n_sites == p->sites.n;
}

/* Jobs. */

static void job_end(struct deepen_job *j, enum point_set_state state)
{
        j->state = state;
        if (j->inner)
                j->inner->ops->destroy(j->inner);
        j->inner = NULL;
        j->begun = j->running = false;
        estimate_fini(&j->estimate);
        memset(&j->estimate, 0, sizeof j->estimate);
}

static bool above_failing(const struct deepen_jobs *p, const struct point_set *set)
{
        for (uint32_t i = 0; i < p->all.n; i++)
                if (p->all.at[i]->state == POINT_SET_FAILING && contains(set, &p->all.at[i]->set))
                        return true;
        return false;
}

struct deepen_job *deepen_jobs_add(struct deepen_jobs *p, uint32_t classes, const uint64_t *sites, uint32_t n)
{
        struct deepen_job *j = calloc(1, sizeof *j);
        uint64_t *all = malloc((n + 1) * sizeof *all);

        if (!j || !all || !vec_reserve(&p->all, 1)) {
                free(j);
                free(all);
                return NULL;
        }
        if (n)
                memcpy(all, sites, n * sizeof *all);
        j->set = (struct point_set){.classes = classes, .sites = all, .n_sites = n, .id = ++p->last_id};
        j->turn = FIRST_TURN;
        j->state = above_failing(p, &j->set) ? POINT_SET_CANCELLED : POINT_SET_PENDING;
        *vec_push(&p->all) = j;
        return j;
}

/* The points of a set and one more place; NULL without memory. */
static struct deepen_job *add_with(struct deepen_jobs *p, const struct point_set *set, uint64_t more,
                                   const struct deepen_race *r)
{
        uint64_t *all = malloc((set->n_sites + 1) * sizeof *all);
        struct deepen_job *j = NULL;
        uint32_t k = 0;

        if (!all)
                return NULL;
        for (; k < set->n_sites && set->sites[k] < more; k++)
                all[k] = set->sites[k];
        all[k] = more;
        if (k < set->n_sites)
                memcpy(&all[k + 1], &set->sites[k], (set->n_sites - k) * sizeof *all);
        j = deepen_jobs_add(p, set->classes, all, set->n_sites + 1);
        free(all);
        if (j) {
                j->both = r->orders == (RACE_FORWARD | RACE_BACKWARD);
                j->idle = r->idle;
        }
        return j;
}

static bool begin(struct deepen_jobs *p)
{
        static const uint32_t seeds[] = {0, WIRE_POINT_ACQUIRE, WIRE_POINT_RELEASE, WIRE_POINT_SYNC};

        for (uint32_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
                if (!deepen_jobs_add(p, seeds[i], NULL, 0))
                        return false;
        return true;
}

void deepen_jobs_clear(struct deepen_jobs *p)
{
        for (uint32_t i = 0; i < p->all.n; i++) {
                job_end(p->all.at[i], POINT_SET_CANCELLED);
                vec_fini(&p->all.at[i]->noted);
                free((void *)p->all.at[i]->set.sites);
                free(p->all.at[i]);
        }
        p->all.n = p->sites.n = p->races.n = 0;
        p->runs = p->proof_runs = 0;
        p->proven = false;
}

bool deepen_jobs_reset(struct deepen_jobs *p)
{
        deepen_jobs_clear(p);
        return begin(p);
}

bool deepen_jobs_init(struct deepen_jobs *p, double seconds)
{
        p->open = seconds <= 0;
        p->limit = p->open ? HORIZON : seconds;
        return begin(p);
}

void deepen_jobs_fini(struct deepen_jobs *p)
{
        deepen_jobs_clear(p);
        vec_fini(&p->all);
        vec_fini(&p->sites);
        vec_fini(&p->races);
}

struct deepen_job *deepen_jobs_find(const struct deepen_jobs *p, uint32_t id)
{
        for (uint32_t i = 0; i < p->all.n; i++)
                if (p->all.at[i]->set.id == id)
                        return p->all.at[i];
        return NULL;
}

/* Algorithm 2. */

/* Is a maximal set just these points and one more?  Then it is a job as all others. */
static bool is_asked_for(struct deepen_job *j, const struct point_set *set, uint64_t more)
{
        if (j->superseded || j->set.classes != set->classes || j->set.n_sites != set->n_sites + 1 ||
            !has_site(&j->set, more) || !contains(&j->set, set))
                return false;
        j->proof = false;
        return true;
}

/* This place races, as the job shows. */
static bool add_place(struct deepen_jobs *p, const struct deepen_job *by, uint64_t site, const struct deepen_race *r)
{
        const struct point_set *now = &by->set, none = {0};
        bool covered = has_site(now, site), small = false;

        if (p->all.n >= MAX_JOBS)
                return true; /* the maximal set will have it */
        for (uint32_t i = 0; i < p->all.n; i++) {
                const struct point_set *q = &p->all.at[i]->set;

                if (p->all.at[i]->proof && !is_asked_for(p->all.at[i], now, site))
                        continue; /* it is there anyhow */
                covered |= has_site(q, site) && contains(q, now);
                small |= !q->classes && q->n_sites == 1 && q->sites[0] == site;
        }
        if (!covered && !add_with(p, now, site, r))
                return false;
        small |= !covered && !now->classes && !now->n_sites;
        return small || add_with(p, &none, site, r);
}

static int know_site(struct deepen_jobs *p, uint64_t site)
{
        struct point_set known = {.sites = p->sites.at, .n_sites = p->sites.n};
        uint32_t i = p->sites.n;

        if (has_site(&known, site))
                return 0;
        if (p->sites.n == WIRE_MAX_SITES)
                return -E2BIG;
        if (!vec_reserve(&p->sites, 1))
                return -ENOMEM;
        *vec_push(&p->sites) = site;
        for (; i > 0 && p->sites.at[i - 1] > site; i--)
                p->sites.at[i] = p->sites.at[i - 1];
        p->sites.at[i] = site;
        return 0;
}

static bool same_race(const struct deepen_race *a, const struct deepen_race *b)
{
        return a->site[0] == b->site[0] && a->site[1] == b->site[1] && a->kind[0] == b->kind[0] &&
               a->kind[1] == b->kind[1];
}

/* Its number, new or not; UINT32_MAX without memory. */
static uint32_t know_race(struct deepen_jobs *p, uint32_t hint, const struct deepen_race *r)
{
        uint32_t i = hint;

        if (hint >= p->races.n || !same_race(&p->races.at[hint], r))
                for (i = 0; i < p->races.n && !same_race(&p->races.at[i], r); i++)
                        ;
        if (i < p->races.n) {
                p->races.at[i].orders |= r->orders;
                return i;
        }
        if (!vec_reserve(&p->races, 1))
                return UINT32_MAX;
        *vec_push(&p->races) = *r;
        return i;
}

int deepen_jobs_raced(struct deepen_jobs *p, struct deepen_job *j, uint32_t hint, const struct deepen_race *race)
{
        uint32_t n = know_race(p, hint, race), early;
        struct deepen_race r;
        bool both;
        int e = 0;

        if (n == UINT32_MAX || !vec_reserve(&j->noted, n + 1 > j->noted.n ? n + 1 - j->noted.n : 0))
                return -ENOMEM;
        while (j->noted.n <= n)
                *vec_push(&j->noted) = 0;
        r = p->races.at[n];
        if (!(r.orders & ~j->noted.at[n]))
                return 0;
        early = r.first == RACE_FORWARD ? 0 : 1;
        both = r.orders == (RACE_FORWARD | RACE_BACKWARD);
        for (uint32_t i = 0; i < 2 && !e; i++) {
                if (race_is_point(r.kind[i]))
                        continue;
                e = know_site(p, r.site[i]);
                if (!e && (both || i == early) && !add_place(p, j, r.site[i], &r))
                        e = -ENOMEM;
        }
        j->noted.at[n] = r.orders;
        return e;
}

/* Turns, and algorithm 3. */

/* Seconds since it was asked first. */
static double elapsed(struct deepen_jobs *p, double now)
{
        if (!p->timed)
                p->started = now;
        p->timed = true;
        return now - p->started;
}

static double time_left(struct deepen_jobs *p, double now)
{
        double left = p->limit - elapsed(p, now);

        return left > 0 ? left : 0;
}

static bool part_is_suspended(const struct deepen_jobs *p, const struct deepen_job *j)
{
        for (uint32_t i = 0; i < p->all.n; i++)
                if (p->all.at[i]->state == POINT_SET_SUSPENDED && part_of(&p->all.at[i]->set, &j->set))
                        return true;
        return false;
}

/* The set of all points that are known; those that were it before are dropped. */
static struct deepen_job *maximal(struct deepen_jobs *p)
{
        struct deepen_job *m = NULL;

        for (uint32_t i = 0; i < p->all.n; i++) {
                struct deepen_job *j = p->all.at[i];

                if (deepen_jobs_maximal(p, j)) {
                        m = j;
                } else if (j->proof && !j->superseded) {
                        j->superseded = true;
                        if (j->state == POINT_SET_PENDING || j->state == POINT_SET_SUSPENDED)
                                job_end(j, POINT_SET_CANCELLED);
                }
        }
        if (!m && (m = deepen_jobs_add(p, WIRE_POINT_SYNC, p->sites.at, p->sites.n)))
                m->proof = m->both = true;
        return m;
}

/* Of the pending ones that no worker runs, except one. */
static struct deepen_job *pending(const struct deepen_jobs *p, const struct deepen_job *but)
{
        struct deepen_job *best = NULL;

        for (uint32_t i = 0; i < p->all.n; i++) {
                struct deepen_job *j = p->all.at[i];

                if (j->state != POINT_SET_PENDING || j->running || j == but || part_is_suspended(p, j))
                        continue;
                if (!best || j->round < best->round || (j->round == best->round && rank_of(j) < rank_of(best)))
                        best = j;
        }
        return best;
}

/* Of the suspended ones, better than `than` if that is given. */
static struct deepen_job *suspended(const struct deepen_jobs *p, const struct deepen_job *than)
{
        struct deepen_job *best = NULL;

        for (uint32_t i = 0; i < p->all.n; i++) {
                struct deepen_job *j = p->all.at[i];

                if (j->state != POINT_SET_SUSPENDED || j->running || part_is_suspended(p, j))
                        continue;
                if (than && (part_of(&than->set, &j->set) || than->eta <= j->eta))
                        continue;
                if (!best || j->eta < best->eta)
                        best = j;
        }
        return best;
}

static bool anybody_runs(const struct deepen_jobs *p)
{
        for (uint32_t i = 0; i < p->all.n; i++)
                if (p->all.at[i]->running)
                        return true;
        return false;
}

struct deepen_job *deepen_jobs_pick(struct deepen_jobs *p, double now, bool *failed)
{
        double spent = elapsed(p, now);
        struct deepen_job *m = maximal(p), *j;
        bool busy = anybody_runs(p), can;

        *failed = !m;
        if (!m || p->proven)
                return NULL;
        can = m->state == POINT_SET_PENDING && !m->running && !part_is_suspended(p, m);
        j = pending(p, m);
        if (can && (!j || busy || p->proof_runs < p->runs - p->proof_runs))
                return m;
        if (!j && (j = suspended(p, NULL))) {
                if (p->open && !busy)
                        p->limit = HORIZON + 2 * spent;
                j->state = POINT_SET_PENDING;
        }
        if (!j && !busy) { /* only what fails, or contains what fails, is left */
                m->to_end = true;
                m->state = POINT_SET_PENDING;
                j = m;
        }
        return j;
}

bool deepen_jobs_suspend(struct deepen_jobs *p, struct deepen_job *j, double now)
{
        struct deepen_job *other = NULL;

        if (j->runs < DEEPEN_PATIENCE || j->state != POINT_SET_PENDING || j->eta < FACTOR * time_left(p, now))
                return false;
        for (uint32_t i = 0; i < p->all.n && !other; i++) {
                struct deepen_job *k = p->all.at[i];
                if (k != j && k->state == POINT_SET_PENDING && !k->running && !part_is_suspended(p, k) &&
                    !part_of(&j->set, &k->set))
                        other = k;
        }
        if (!other && !suspended(p, j))
                return false;
        j->state = POINT_SET_SUSPENDED;
        return true;
}

bool deepen_jobs_renew(struct deepen_jobs *p)
{
        return maximal(p) != NULL;
}

void deepen_jobs_spent(struct deepen_jobs *p, struct deepen_job *j, uint64_t runs, double seconds)
{
        j->runs += runs;
        j->seconds += seconds;
        p->runs += runs;
        p->proof_runs += j->proof || deepen_jobs_maximal(p, j) ? runs : 0;
}

bool deepen_jobs_ran(struct deepen_jobs *p, struct deepen_job *j, double seconds)
{
        deepen_jobs_spent(p, j, 1, seconds);
        if (j->runs < j->turn && (!j->proof || deepen_jobs_maximal(p, j)))
                return false;
        j->round += j->round < MAX_ROUND;
        j->turn = j->runs + ((uint64_t)FIRST_TURN << j->round);
        return true;
}

void deepen_jobs_done(struct deepen_jobs *p, struct deepen_job *j)
{
        bool fails = j->to_end;

        p->proven |= deepen_jobs_maximal(p, j);
        job_end(j, fails ? POINT_SET_FAILING : POINT_SET_DONE);
        for (uint32_t i = 0; i < p->all.n && !fails; i++) {
                struct deepen_job *k = p->all.at[i];
                if ((k->state == POINT_SET_PENDING || k->state == POINT_SET_SUSPENDED) && contains(&j->set, &k->set))
                        job_end(k, POINT_SET_DONE);
        }
}

void deepen_jobs_failed(struct deepen_jobs *p, struct deepen_job *j)
{
        if (j->to_end)
                return;
        job_end(j, POINT_SET_FAILING);
        for (uint32_t i = 0; i < p->all.n; i++) {
                struct deepen_job *k = p->all.at[i];
                if ((k->state == POINT_SET_PENDING || k->state == POINT_SET_SUSPENDED) && contains(&k->set, &j->set))
                        job_end(k, POINT_SET_CANCELLED);
        }
}
