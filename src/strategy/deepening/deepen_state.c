/*
 * The sets of deepen.c in a stream, each with what is left of its search.
 *
 * Estimates are not stored: a search that is continued is judged by the share of its tree that is done.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "strategy/deepening/deepen_sets.h"
#include "strategy/dpor/optimal.h"

#define MAX_STORED_JOBS  65536u
#define MAX_STORED_RACES 65536u

static void save_job(const struct deepen_job *j, struct stream *out)
{
        uint32_t flags[] = {j->set.classes, j->state, j->both, j->proof, j->superseded, j->to_end, j->round, j->begun};
        uint64_t counts[] = {j->turn, j->runs, j->begun_at};
        double times[] = {j->seconds, j->eta};

        stream_put(out, flags, sizeof flags);
        stream_put(out, counts, sizeof counts);
        stream_put(out, times, sizeof times);
        stream_put_array(out, j->set.sites, j->set.n_sites, sizeof *j->set.sites);
        stream_put_array(out, j->noted.at, j->noted.n, 1);
        stream_put_u32(out, j->inner != NULL);
        if (j->inner)
                j->inner->ops->persist->save(j->inner, out);
}

void deepen_jobs_save(const struct deepen_jobs *p, struct stream *out)
{
        stream_put_array(out, p->sites.at, p->sites.n, sizeof *p->sites.at);
        stream_put_array(out, p->races.at, p->races.n, sizeof *p->races.at);
        stream_put_u64(out, p->runs);
        stream_put_u64(out, p->proof_runs);
        stream_put_u32(out, p->proven);
        stream_put_u32(out, p->last_id);
        stream_put_u32(out, p->all.n);
        for (uint32_t i = 0; i < p->all.n; i++) {
                stream_put_u32(out, p->all.at[i]->set.id);
                save_job(p->all.at[i], out);
        }
}

static bool ascend(const uint64_t *sites, uint32_t n)
{
        for (uint32_t i = 1; i < n; i++)
                if (sites[i - 1] >= sites[i])
                        return false;
        return true;
}

static bool sane_time(double t)
{
        return isfinite(t) && t >= 0;
}

/* The part before the search itself. */
static bool load_head(struct deepen_job *j, struct stream *in)
{
        uint32_t flags[8], n;
        uint64_t counts[3];
        double times[2];

        stream_get(in, flags, sizeof flags);
        stream_get(in, counts, sizeof counts);
        stream_get(in, times, sizeof times);
        if (in->failed || flags[0] & ~WIRE_POINT_SYNC || flags[1] > POINT_SET_CANCELLED || flags[2] > 1 ||
            flags[3] > 1 || flags[4] > 1 || flags[5] > 1 || flags[6] > 64 || flags[7] > 1 || !sane_time(times[0]))
                return false;
        j->set.classes = flags[0];
        j->state = flags[1];
        j->both = flags[2];
        j->proof = flags[3];
        j->superseded = flags[4];
        j->to_end = flags[5];
        j->round = flags[6];
        j->begun = flags[7];
        j->turn = counts[0];
        j->runs = counts[1];
        j->begun_at = counts[2] < counts[1] ? counts[2] : counts[1];
        j->seconds = times[0];
        j->eta = sane_time(times[1]) ? times[1] : 0;
        j->set.sites = stream_get_array(in, WIRE_MAX_SITES, sizeof *j->set.sites, &j->set.n_sites);
        n = stream_get_count(in, MAX_STORED_RACES, 1);
        if (in->failed || !ascend(j->set.sites, j->set.n_sites) || !vec_reserve(&j->noted, n + 1))
                return false;
        j->noted.n = n;
        stream_get(in, j->noted.at, n);
        return true;
}

static bool load_job(struct deepen_jobs *p, struct stream *in)
{
        uint32_t id = stream_get_max(in, p->last_id);
        struct deepen_job *j = id && !deepen_jobs_find(p, id) ? deepen_jobs_add(p, 0, NULL, 0) : NULL;

        if (!j)
                return false;
        p->last_id--; /* it has one already */
        free((void *)j->set.sites);
        j->set.sites = NULL;
        j->set.id = id;
        if (!load_head(j, in))
                return false;
        if (!stream_get_max(in, 1))
                return !in->failed;
        j->resumed = true;
        j->inner = optimal_create(true);
        return j->inner && !j->inner->ops->persist->load(j->inner, in);
}

static bool load(struct deepen_jobs *p, struct stream *in)
{
        uint32_t n;

        n = stream_get_count(in, WIRE_MAX_SITES, sizeof *p->sites.at);
        if (!vec_reserve(&p->sites, n + 1))
                return false;
        p->sites.n = n;
        stream_get(in, p->sites.at, n * sizeof *p->sites.at);
        n = stream_get_count(in, MAX_STORED_RACES, sizeof *p->races.at);
        if (!vec_reserve(&p->races, n + 1))
                return false;
        p->races.n = n;
        stream_get(in, p->races.at, n * sizeof *p->races.at);
        p->runs = stream_get_u64(in);
        p->proof_runs = stream_get_u64(in);
        p->proven = stream_get_max(in, 1);
        p->last_id = stream_get_u32(in);
        if (in->failed || !ascend(p->sites.at, p->sites.n) || p->proof_runs > p->runs || p->last_id > MAX_STORED_JOBS)
                return false;
        n = stream_get_max(in, p->last_id);
        for (uint32_t i = 0; i < n; i++)
                if (!load_job(p, in))
                        return false;
        return n > 0 && !in->failed;
}

int deepen_jobs_load(struct deepen_jobs *p, struct stream *in)
{
        deepen_jobs_clear(p);
        if (load(p, in))
                return 0;
        deepen_jobs_reset(p); /* there was memory for as much before */
        return -EINVAL;
}
