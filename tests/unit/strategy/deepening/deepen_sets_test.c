/* Which sets of preemption points there are, and whose turn it is (Blum and Gibson 2016, algorithms 2 and 3). */
#include "strategy/deepening/deepen_sets.h"

#include <assert.h>
#include <errno.h>

enum { A = 0x10, B = 0x20, C = 0x30 };

static struct deepen_job *find(const struct deepen_jobs *p, uint32_t classes, uint64_t one, uint64_t two)
{
        for (uint32_t i = 0; i < p->all.n; i++) {
                struct deepen_job *j = p->all.at[i];
                uint32_t n = (one != 0) + (two != 0);

                if (!j->superseded && !j->proof && j->set.classes == classes && j->set.n_sites == n &&
                    (!one || j->set.sites[0] == one) && (!two || j->set.sites[1] == two))
                        return j;
        }
        return NULL;
}

static struct deepen_job *pick(struct deepen_jobs *p)
{
        bool failed;
        struct deepen_job *j = deepen_jobs_pick(p, 0, &failed);

        assert(!failed);
        return j;
}

static void race(struct deepen_jobs *p, struct deepen_job *j, uint64_t one, uint64_t two, uint8_t orders)
{
        struct deepen_race r = {
                .site = {one, two}, .kind = {RACE_WRITE, RACE_READ}, .first = RACE_FORWARD, .orders = orders};

        assert(deepen_jobs_raced(p, j, 0, &r) == 0);
}

static void begin(struct deepen_jobs *p, double seconds)
{
        *p = (struct deepen_jobs){0};
        assert(deepen_jobs_init(p, seconds));
}

static void seeds(void)
{
        struct deepen_jobs p;

        begin(&p, 0);
        assert(p.all.n == 4);
        assert(find(&p, 0, 0, 0) && find(&p, WIRE_POINT_ACQUIRE, 0, 0) && find(&p, WIRE_POINT_RELEASE, 0, 0));
        assert(deepen_jobs_maximal(&p, find(&p, WIRE_POINT_SYNC, 0, 0)));
        assert(pick(&p) == find(&p, 0, 0, 0)); /* the smallest first */
        deepen_jobs_fini(&p);
}

/* A small job and a big one for each access; the later access of a race only once it was seen in both orders. */
static void races_add_jobs(void)
{
        struct deepen_jobs p;
        struct deepen_job *by;

        begin(&p, 0);
        by = find(&p, WIRE_POINT_ACQUIRE, 0, 0);
        race(&p, by, A, B, RACE_FORWARD);
        assert(find(&p, 0, A, 0) && find(&p, WIRE_POINT_ACQUIRE, A, 0));
        assert(!find(&p, 0, B, 0) && !find(&p, WIRE_POINT_ACQUIRE, B, 0));
        assert(p.sites.n == 2); /* the maximal set has both */
        race(&p, by, A, B, RACE_FORWARD | RACE_BACKWARD);
        assert(find(&p, 0, B, 0)->both && find(&p, WIRE_POINT_ACQUIRE, B, 0));
        race(&p, find(&p, 0, A, 0), A, B, RACE_FORWARD); /* a job with one of the two shows it, too */
        assert(find(&p, 0, A, B));
        deepen_jobs_fini(&p);
}

static void atomics_are_points_anyhow(void)
{
        struct deepen_race r = {.site = {A, B},
                                .kind = {RACE_ATOMIC_WRITE, RACE_READ},
                                .first = RACE_FORWARD,
                                .orders = RACE_FORWARD | RACE_BACKWARD};
        struct deepen_jobs p;

        begin(&p, 0);
        assert(deepen_jobs_raced(&p, p.all.at[0], 0, &r) == 0);
        assert(p.sites.n == 1 && !find(&p, 0, A, 0) && find(&p, 0, B, 0));
        deepen_jobs_fini(&p);
}

/* A new race makes the maximal set larger: the old one is dropped. */
static void maximal_is_renewed(void)
{
        struct deepen_jobs p;
        struct deepen_job *first, *second;

        begin(&p, 0);
        race(&p, p.all.at[0], A, B, RACE_FORWARD);
        assert(deepen_jobs_renew(&p));
        first = p.all.at[p.all.n - 1];
        assert(first->proof && deepen_jobs_maximal(&p, first));
        race(&p, p.all.at[0], A, C, RACE_FORWARD);
        assert(deepen_jobs_renew(&p));
        second = p.all.at[p.all.n - 1];
        assert(first->superseded && first->state == POINT_SET_CANCELLED && deepen_jobs_maximal(&p, second));
        deepen_jobs_done(&p, find(&p, WIRE_POINT_SYNC, 0, 0));
        assert(!p.proven);
        deepen_jobs_done(&p, second);
        assert(p.proven && find(&p, 0, A, 0)->state == POINT_SET_DONE); /* a part of it */
        assert(!pick(&p));
        deepen_jobs_fini(&p);
}

static void parts_are_done(void)
{
        struct deepen_jobs p;

        begin(&p, 0);
        race(&p, p.all.at[0], A, B, RACE_FORWARD);
        deepen_jobs_done(&p, find(&p, WIRE_POINT_ACQUIRE, 0, 0));
        assert(find(&p, 0, 0, 0)->state == POINT_SET_DONE);
        assert(find(&p, WIRE_POINT_RELEASE, 0, 0)->state == POINT_SET_PENDING);
        assert(find(&p, 0, A, 0)->state == POINT_SET_PENDING);
        deepen_jobs_fini(&p);
}

/* What contains a failing set is cancelled, now and later; at the end the maximal set is explored all the same. */
static void supersets_are_cancelled(void)
{
        struct deepen_jobs p;
        struct deepen_job *j;

        begin(&p, 0);
        race(&p, find(&p, WIRE_POINT_ACQUIRE, 0, 0), A, B, RACE_FORWARD);
        deepen_jobs_failed(&p, find(&p, 0, A, 0));
        assert(find(&p, 0, A, 0)->state == POINT_SET_FAILING);
        assert(find(&p, WIRE_POINT_ACQUIRE, A, 0)->state == POINT_SET_CANCELLED);
        assert(find(&p, WIRE_POINT_ACQUIRE, 0, 0)->state == POINT_SET_PENDING);
        race(&p, find(&p, WIRE_POINT_RELEASE, 0, 0), A, B, RACE_FORWARD);
        assert(find(&p, WIRE_POINT_RELEASE, A, 0)->state == POINT_SET_CANCELLED);
        while ((j = pick(&p)) && !j->to_end)
                deepen_jobs_done(&p, j);
        assert(j && deepen_jobs_maximal(&p, j) && !p.proven);
        deepen_jobs_failed(&p, j); /* that ends it no more */
        assert(j->state == POINT_SET_PENDING);
        deepen_jobs_done(&p, j);
        assert(p.proven && j->state == POINT_SET_FAILING);
        deepen_jobs_fini(&p);
}

static void run(struct deepen_jobs *p, struct deepen_job *j, uint32_t n)
{
        while (n--)
                deepen_jobs_ran(p, j, 0.001);
}

/* Every second execution is one of the maximal set; others have turns of 8, 16, 32 ... executions. */
static void turns(void)
{
        struct deepen_jobs p;
        struct deepen_job *small, *all;

        begin(&p, 0);
        small = find(&p, 0, 0, 0);
        all = find(&p, WIRE_POINT_SYNC, 0, 0);
        for (int i = 1; i < 8; i++)
                assert(!deepen_jobs_ran(&p, small, 0));
        assert(deepen_jobs_ran(&p, small, 0));
        assert(pick(&p) == all);
        run(&p, all, 8);
        assert(pick(&p) == find(&p, WIRE_POINT_ACQUIRE, 0, 0));
        for (int i = 1; i < 16; i++)
                assert(!deepen_jobs_ran(&p, small, 0));
        assert(deepen_jobs_ran(&p, small, 0));
        deepen_jobs_fini(&p);
}

/* Algorithm 3. */
static void suspension(void)
{
        struct deepen_jobs p;
        struct deepen_job *small, *acquire, *release;

        begin(&p, 100);
        small = find(&p, 0, 0, 0);
        acquire = find(&p, WIRE_POINT_ACQUIRE, 0, 0);
        release = find(&p, WIRE_POINT_RELEASE, 0, 0);
        race(&p, acquire, A, B, RACE_FORWARD);
        run(&p, acquire, 31);
        acquire->eta = 1000;
        assert(!deepen_jobs_suspend(&p, acquire, 0)); /* too soon to tell */
        run(&p, acquire, 1);
        acquire->eta = 150;
        assert(!deepen_jobs_suspend(&p, acquire, 0)); /* not twice the time left */
        acquire->eta = 1000;
        assert(deepen_jobs_suspend(&p, acquire, 0));
        assert(pick(&p) == small);
        deepen_jobs_done(&p, small);
        assert(pick(&p) == find(&p, 0, A, 0));
        deepen_jobs_done(&p, find(&p, 0, A, 0));
        assert(pick(&p) == release);
        run(&p, release, 32);
        release->eta = 300;
        assert(!deepen_jobs_suspend(&p, release, 0)); /* the other one takes longer still */
        release->eta = 2000;
        assert(deepen_jobs_suspend(&p, release, 0));
        assert(find(&p, WIRE_POINT_ACQUIRE, A, 0)->state == POINT_SET_PENDING); /* contains a suspended one */
        assert(pick(&p) == acquire && acquire->state == POINT_SET_PENDING);     /* the one that ends soonest */
        deepen_jobs_fini(&p);
}

static void stored(void)
{
        struct stream s = STREAM_INIT, cut = STREAM_INIT;
        struct deepen_jobs p, q;

        begin(&p, 0);
        begin(&q, 0);
        race(&p, find(&p, WIRE_POINT_ACQUIRE, 0, 0), A, B, RACE_FORWARD);
        run(&p, find(&p, 0, A, 0), 5);
        deepen_jobs_done(&p, find(&p, WIRE_POINT_RELEASE, 0, 0));
        deepen_jobs_save(&p, &s);
        assert(!s.failed && deepen_jobs_load(&q, &s) == 0 && stream_done(&s));
        assert(q.all.n == p.all.n && q.sites.n == 2 && q.races.n == 1 && q.last_id == p.last_id);
        assert(find(&q, 0, A, 0)->runs == 5 && find(&q, WIRE_POINT_RELEASE, 0, 0)->state == POINT_SET_DONE);
        for (size_t n = 0; n < s.n; n++) { /* any beginning of it is refused */
                stream_reset(&cut);
                stream_put(&cut, s.at, n);
                assert(deepen_jobs_load(&q, &cut) == -EINVAL && q.all.n == 4);
        }
        stream_fini(&s);
        stream_fini(&cut);
        deepen_jobs_fini(&p);
        deepen_jobs_fini(&q);
}

static void too_many_places(void)
{
        struct deepen_jobs p;
        int e = 0;

        begin(&p, 0);
        for (uint64_t i = 0; i <= WIRE_MAX_SITES && !e; i++) {
                struct deepen_race r = {
                        .site = {i + 1, i + 1}, .kind = {RACE_WRITE, RACE_WRITE}, .first = RACE_FORWARD, .orders = 1};
                e = deepen_jobs_raced(&p, p.all.at[0], 0, &r);
        }
        assert(e == -E2BIG && p.sites.n == WIRE_MAX_SITES && p.all.n < 600);
        deepen_jobs_fini(&p);
}

int main(void)
{
        seeds();
        races_add_jobs();
        atomics_are_points_anyhow();
        maximal_is_renewed();
        parts_are_done();
        supersets_are_cancelled();
        turns();
        suspension();
        stored();
        too_many_places();
        return 0;
}
