/*
 * An exploration from its beginning to its result.
 *
 * The engine explores with one process.  Several explorers (parallel/) take over when it has worked alone for a while, and
 * what was found is minimised at the end (minimize/): both use the engine, so they are called from here.
 */
#include "cli/explore.h"

#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "engine/dependences.h"
#include "minimize/minimize.h"
#include "cli/many/shard_file.h"
#include "parallel/coordinator.h"
#include "parallel/remote.h"
#include "parallel/shard.h"
#include "verdict/leak_table.h"

#define MINIMIZE_LEAST 2.0 /* seconds */
#define MINIMIZE_MORE  8.0

/* How long failures may be minimised: some seconds, and more where the search took longer; but within --time. */
static double minimize_seconds(const struct config *c, double started)
{
        double took = clock_now() - started, left = c->seconds + LATE_ANALYSIS - took;
        double seconds = MINIMIZE_LEAST + (took < MINIMIZE_MORE ? took : MINIMIZE_MORE);

        if (c->minimize_seconds || c->capture)
                seconds = c->capture ? 0 : c->minimize_seconds;
        return c->seconds > 0 && left < seconds ? left : seconds;
}

static void minimize(struct session *s, loop_progress progress, void *arg)
{
        struct stats *st = &s->result->stats;
        double seconds = minimize_seconds(s->config, s->progress.started);

        if (seconds <= 0)
                return;
        st->minimizing = true;
        if (progress)
                progress(arg, st);
        minimize_all(&s->judge, seconds);
        st->minimizing = false;
}

int explore_settle(struct result *r, const struct config *config, struct error *why)
{
        bool all = config->leaks == LEAKS_ALL;
        uint64_t *ignored = &r->stats.ignored[FINDING_LEAK], n = leaks_executions(r, all);

        if (!(config->ignored >> FINDING_LEAK & 1))
                return leaks_settle(r) ? error_memory(why) : RUN_OK;
        *ignored = *ignored > n ? *ignored : n;
        return RUN_OK;
}

/* The loop stopped because others are to help: they bring it to its end. */
static int share(struct session *s, loop_progress progress, void *arg)
{
        struct progress *p = &s->progress;

        estimate_reset(&p->estimate); /* from now on no process sees the whole tree */
        s->result->stats.share = 0;
        p->was_shared = true;
        return coordinator_explore(s, s->strategy, &p->reached, progress, arg);
}

/* A part of it (--shard), or with other machines (--spool, --cluster). */
static int explore_many(struct session *s, loop_progress progress, void *arg)
{
        int e = s->config->shards ? shard_file_known(s) : remote_explore(s, progress, arg);

        if (e == RUN_OK && s->config->shards)
                e = shard_explore(s, progress, arg);
        if (e != RUN_OK)
                return e;
        loop_end(s);
        return explore_settle(s->result, s->config, s->why);
}

static int run(struct session *s, loop_progress progress, void *arg)
{
        const struct progress *p = &s->progress;
        int e = loop_begin(s);

        if (e == RUN_OK && config_many(s->config))
                return explore_many(s, progress, arg);
        if (e == RUN_OK)
                e = loop_run(s, progress, arg);
        if (e == RUN_OK && !p->ended && !p->covered && !p->reached)
                e = share(s, progress, arg);
        if (e != RUN_OK)
                return e;
        loop_end(s);
        return explore_settle(s->result, s->config, s->why);
}

static int explore_once(const struct config *config, struct result *r, struct error *why, loop_progress progress,
                        void *arg)
{
        struct session s;
        int e;

        memset(r, 0, sizeof *r);
        r->stats.complete = true;
        e = session_init(&s, config, r, why);
        if (e == RUN_OK)
                e = run(&s, progress, arg);
        late_after(config->seconds > 0 ? s.progress.started + config->seconds + LATE_REPORT : 0, true);
        if (e == RUN_OK && r->n_findings)
                minimize(&s, progress, arg);
        if (e == RUN_OK)
                dependences_mark(&s);
        if (e == RUN_OK)
                races_mark(s.judge.races);
        if (e == RUN_INTR)
                stats_incomplete(&r->stats, REASON_INTERRUPTED, NULL);
        else if (e < 0)
                stats_incomplete(&r->stats, REASON_ERROR, NULL);
        for (uint32_t i = 0; i < r->n_findings; i++) /* the search stopped before an execution that counts showed it */
                r->findings[i].count += !r->findings[i].count;
        if (r->n_findings && !config->keep_going)
                stats_incomplete(&r->stats, REASON_FIRST_FAILURE, NULL);
        session_fini(&s);
        return e < 0 ? e : 0;
}

/* Has every execution been cut by an assumption, perhaps because of the few values that __VERIFIER_nondet_* has? */
static bool values_rejected(const struct config *c, const struct result *r)
{
        const struct stats *st = &r->stats;

        return !c->nondet.count && !config_many(c) && !r->n_findings && !st->executions && st->cut_assume &&
               reasons_has(&st->reasons, REASON_NONDET) && !reasons_has(&st->reasons, REASON_TIME) &&
               !reasons_has(&st->reasons, REASON_INTERRUPTED) && !reasons_has(&st->reasons, REASON_EXECUTIONS);
}

/* More values than the first four were tried: the report says which. */
static void say_values(struct stats *st, const char *beyond)
{
        struct reasons *r = &st->reasons;
        uint32_t n = 0;

        if (!reasons_has(r, REASON_NONDET))
                return;
        for (uint32_t i = 0; i < r->n; i++)
                if (r->details[i].reason != REASON_NONDET)
                        r->details[n++] = r->details[i];
        r->n = n;
        r->set &= ~REASON_BIT(REASON_NONDET);
        stats_incomplete(st, REASON_BOUND, beyond);
}

/* What is left of --time; false: nothing. */
static bool time_left(struct config *to, const struct config *config, double started)
{
        if (config->seconds > 0)
                to->seconds = config->seconds - (clock_now() - started);
        return config->seconds <= 0 || to->seconds > 0;
}

/* States are compared by one explorer. */
static int explore_jobs(const struct config *config, struct result *r, struct error *why, loop_progress progress,
                        void *arg)
{
        struct config alone = *config;
        double started = clock_now();
        int e = explore_once(config, r, why, progress, arg);

        if (e || !r->stats.leads_back || !time_left(&alone, config, started))
                return e;
        alone.jobs = 1;
        result_fini(r);
        return explore_once(&alone, r, why, progress, arg);
}

int explore_program(const struct config *config, struct result *r, struct error *why, loop_progress progress, void *arg)
{
        static const struct {
                int64_t n; /* of 0, 1, 2, -1, 3, -2, 4, -3 ... */
                const char *beyond;
        } rounds[] = {{16, "values of __VERIFIER_nondet_* beyond -7 to 8 were not tried"},
                      {64, "values of __VERIFIER_nondet_* beyond -31 to 32 were not tried"},
                      {256, "values of __VERIFIER_nondet_* beyond -127 to 128 were not tried"},
                      {1024, "values of __VERIFIER_nondet_* beyond -511 to 512 were not tried"}};
        struct config wider = *config;
        double started = clock_now();
        int e = explore_jobs(config, r, why, progress, arg);
        bool rejected = !e && values_rejected(config, r);

        for (size_t i = 0; i < sizeof rounds / sizeof *rounds && rejected; i++) {
                wider.nondet.low = rounds[i].n;
                if (!time_left(&wider, config, started))
                        break;
                result_fini(r);
                e = explore_jobs(&wider, r, why, progress, arg);
                rejected = !e && values_rejected(config, r);
                if (!e)
                        say_values(&r->stats, rounds[i].beyond);
        }
        return e;
}

int explore_replay(const struct config *config, const struct replay *what, struct result *r, struct error *why)
{
        struct session s;
        bool judged = false;
        int e;

        memset(r, 0, sizeof *r);
        stats_incomplete(&r->stats, REASON_REPLAYED, NULL);
        e = session_init(&s, config, r, why);
        if (e == RUN_OK)
                e = replay_run(&s, what, &judged);
        if (judged && what->minimize)
                minimize_all(&s.judge, what->minimize);
        else if (judged)
                replay_show(&s.run);
        if (judged)
                dependences_mark(&s);
        if (judged)
                races_mark(s.judge.races);
        r->stats.seconds = clock_now() - s.progress.started;
        session_fini(&s);
        return e < 0 ? e : 0;
}
