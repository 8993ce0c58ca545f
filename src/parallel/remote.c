/*
 * The coordinator of a search on many machines.
 *
 * It has the tree of common nodes (jobtree.h) and the list of jobs.  Workers take jobs from a store (jobstore.h) and answer there, once
 * for each job.  Everything that the coordinator knows is in its state, which is stored before anything follows from it: a
 * coordinator that starts the same search again continues from there.  An answer to a job that the state does not have is of no
 * use, and is removed: it was counted, or belongs to a generation that is over.
 *
 * A worker that finds out more about the program ends the generation: everything restarts, as in coordinator.c.
 */
#include "parallel/remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "engine/checkpoint.h"
#include "parallel/store/jobstore_open.h"
#include "parallel/remote_state.h"
#include "parallel/remote_worker.h"

#define TICK      0.5  /* seconds of a round without an answer, at most */
#define LEASE     0.25 /* of --lease: how often leases are renewed, and checked */
#define WAITING   2u   /* jobs for each worker: one under way, and one that waits */
#define STALLED   3.0  /* times the lease, and a job more: without an answer for so long, jobs are taken to be lost */
#define FORGOTTEN 3.0  /* times the lease: a worker that says nothing for so long does not count */

static int no_store(struct remote *r)
{
        return error_set(r->s->why, ERROR_USAGE, "%s", r->store->why.text);
}

static int put(struct remote *r, enum jobstore_blob which)
{
        jobstore_seal(&r->sealed, &r->body, which == BLOB_TOLD ? NULL : r->store, which, 0);
        if (r->sealed.failed)
                return error_memory(r->s->why);
        return r->store->ops->put(r->store, which, &r->sealed) < 0 ? no_store(r) : (int)RUN_OK;
}

/* Workers of this machine. */

static void start_worker(struct remote *r, uint32_t i)
{
        struct session *s = r->s;
        struct config config = *s->config;
        pid_t parent = getpid(), pid = fork();
        struct jobstore *store;
        int e;

        if (pid) {
                r->workers[i] = pid;
                return;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
                _exit(0);
        config.seconds = 0; /* the coordinator's affair, and so are ... */
        config.executions = 0;
        config.save = NULL;
        s->config = &config;
        store = jobstore_open(config.store, s->why);
        core_choose(&s->program.target.core, i, r->n_workers);
        if (!store || target_renew(&s->program.target) != TARGET_OK)
                _exit(3);
        run_attach(&s->run);
        e = remote_work(s, store);
        target_stop(&s->program.target);
        if (e == ERROR_USAGE)
                r->whys[i] = *s->why;
        _exit(e == ERROR_USAGE ? 2 : 0);
}

/* Those that have ended start again: their jobs are free as soon as that is known. */
static int look_after_workers(struct remote *r)
{
        double now = clock_now();
        int status;

        for (uint32_t i = 0; i < r->n_workers; i++) {
                if (r->workers[i] > 0 && waitpid(r->workers[i], &status, WNOHANG) == r->workers[i]) {
                        r->workers[i] = 0;
                        if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
                                return error_set(r->s->why, ERROR_USAGE, "%s", r->whys[i].text);
                }
                if (r->workers[i] <= 0 && now - r->restarted > 1) {
                        r->restarted = now;
                        start_worker(r, i);
                }
        }
        return RUN_OK;
}

static void end_workers(struct remote *r)
{
        for (uint32_t i = 0; i < r->n_workers; i++)
                if (r->workers[i] > 0)
                        kill(r->workers[i], SIGKILL);
        for (uint32_t i = 0; i < r->n_workers; i++)
                while (r->workers[i] > 0 && waitpid(r->workers[i], NULL, 0) < 0 && errno == EINTR)
                        ;
        free(r->workers);
        if (r->whys && r->whys != MAP_FAILED)
                munmap(r->whys, r->n_workers * sizeof *r->whys);
}

/* What all workers get. */

static void count_worker(void *arg, const char *name, struct stream *body)
{
        (void)name, (void)body;
        ++*(uint32_t *)arg;
}

static double explored(const struct remote *r)
{
        double left = jobtree_left(&r->tree, 0);

        for (uint32_t i = 0; i < r->jobs.n; i++)
                left += jobtree_weight(&r->jobs.at[i].place);
        return left < 1 ? 1 - left : 0;
}

static int tell(struct remote *r, bool over)
{
        const struct stats *st = &r->s->result->stats;
        struct remote_told told = {.over = over,
                                   .generation = r->generation,
                                   .want = r->want,
                                   .failures = r->s->result->n_findings,
                                   .executions = st->executions,
                                   .blocked = st->blocked,
                                   .share = explored(r),
                                   .seconds = progress_seconds(&r->s->progress),
                                   .failed = r->failed,
                                   .jobs = r->jobs.n};

        snprintf(told.program, sizeof told.program, "%.150s", r->s->config->name);
        stream_reset(&r->body);
        stream_put(&r->body, &told, sizeof told);
        r->last = told;
        r->told = clock_now();
        return put(r, BLOB_TOLD);
}

/* Workers get at once what concerns them, and figures once a second. */
static int tell_news(struct remote *r)
{
        if (r->want == r->last.want && r->generation == r->last.generation && clock_now() - r->told < 1)
                return RUN_OK;
        return tell(r, false);
}

/* Handing out. */

static uint64_t quota(struct remote *r)
{
        const struct stats *st = &r->s->result->stats;
        uint64_t limit = r->s->config->executions, used = st->executions + st->cut_depth, share;

        if (!limit)
                return 0;
        for (uint32_t i = 0; i < r->jobs.n; i++)
                used += r->jobs.at[i].id ? r->jobs.at[i].quota : 0;
        if (used >= limit)
                return UINT64_MAX;
        share = (limit - used) / (r->n_known + 1);
        return share ? share : 1;
}

/* Jobs of the tree become jobs of the list, so that no worker waits. */
static int fill(struct remote *r)
{
        uint32_t each = r->strategy->ops->parts ? 1 : WAITING, enough = r->n_known > 1 ? each * r->n_known : 1;
        struct jobtree_place place;

        stream_reset(&r->body);
        while (r->jobs.n <= enough && jobtree_give(&r->tree, &r->body, &place)) {
                if (!remote_add(r, &r->body, &place))
                        return error_memory(r->s->why);
                stream_reset(&r->body);
        }
        r->want = r->jobs.n < enough ? enough - r->jobs.n : 0;
        return RUN_OK;
}

/* Jobs without an id get one: they are in the state before they are published. */
static bool name_jobs(struct remote *r)
{
        bool fresh = false;

        for (uint32_t i = 0; i < r->jobs.n; i++) {
                struct remote_job *j = &r->jobs.at[i];
                uint64_t n = j->id ? 0 : quota(r);

                if (j->id || n == UINT64_MAX)
                        continue;
                j->quota = n;
                j->id = r->epoch << 32 | ++r->next;
                j->published = false;
                fresh = true;
        }
        return fresh;
}

static int publish(struct remote *r)
{
        for (uint32_t i = 0; i < r->jobs.n; i++) {
                struct remote_job *j = &r->jobs.at[i];

                if (j->published || !j->id)
                        continue;
                stream_reset(&r->body);
                stream_put_u32(&r->body, r->generation);
                stream_put_u64(&r->body, j->quota);
                stream_put(&r->body, j->task.at, j->task.n);
                jobstore_seal(&r->sealed, &r->body, r->store, SEALED_JOB, j->id);
                if (r->sealed.failed)
                        return error_memory(r->s->why);
                if (r->store->ops->publish(r->store, j->id, &r->sealed) < 0)
                        return no_store(r);
                j->published = true;
        }
        return RUN_OK;
}

/* --save */
static void save(struct remote *r)
{
        stream_reset(&r->body);
        remote_checkpoint(r, &r->body);
        checkpoint_keep(r->s, r->strategy, &r->body);
}

/* The state is stored; then what follows from it. */
static int commit(struct remote *r)
{
        int e;

        stream_reset(&r->body);
        remote_save(r, &r->body);
        e = put(r, BLOB_STATE);
        if (e == RUN_OK)
                e = publish(r);
        for (uint32_t i = 0; i < r->used.n && e == RUN_OK; i++)
                e = r->store->ops->remove(r->store, r->used.at[i]) < 0 ? no_store(r) : (int)RUN_OK;
        r->used.n = 0;
        if (e == RUN_OK && r->s->config->save && checkpoint_due(r->s, clock_now()))
                save(r);
        return e;
}

/* Answers. */

static int begin_again(struct remote *r)
{
        for (uint32_t i = 0; i < r->jobs.n; i++)
                if (r->jobs.at[i].id && vec_reserve(&r->used, 1))
                        *vec_push(&r->used) = r->jobs.at[i].id;
        remote_drop(r);
        r->generation++;
        loop_begin_again(r->s, r->strategy);
        return remote_add_all(r) ? remote_put_world(r) : error_memory(r->s->why);
}

static int take_answers(struct remote *r, bool *any)
{
        struct stream body = STREAM_INIT;
        uint64_t id;
        int e = RUN_OK, more;

        r->store->ops->rewind(r->store);
        while (e == RUN_OK && !r->ended && (more = r->store->ops->result(r->store, &id, &body)) != 0) {
                enum remote_heard heard;

                if (more < 0) {
                        e = no_store(r);
                        break;
                }
                r->heard = clock_now();
                if (!vec_reserve(&r->used, 1)) {
                        e = error_memory(r->s->why);
                        break;
                }
                heard = remote_hear(r, id, &body, &e);
                if (heard != HEARD_DAMAGED)
                        *vec_push(&r->used) = id;
                else if (r->store->ops->remove(r->store, id) < 0) /* it is published again */
                        e = no_store(r);
                *any |= heard != HEARD_UNKNOWN || r->used.n > 64;
                if (heard == HEARD_GREW && e == RUN_OK)
                        e = begin_again(r);
        }
        stream_fini(&body);
        return e;
}

/* Life. */

/* The store may have forgotten what was written last: all of it is written again. */
static int recover(struct remote *r)
{
        int e = remote_put_head(r);

        r->store->renewed = false;
        for (uint32_t i = 0; i < r->jobs.n; i++)
                r->jobs.at[i].published = false;
        if (e == RUN_OK)
                e = remote_put_world(r);
        return e == RUN_OK ? commit(r) : e;
}

/* No worker has answered for long.  Jobs may be lost: files that somebody removed, keys that the server dropped.  All of them are published
 * again; a worker that has one of them answers all the same, and the first answer counts. */
static int find_lost(struct remote *r)
{
        if (clock_now() - r->heard < r->lease * STALLED + REMOTE_MOST)
                return RUN_OK;
        r->heard = clock_now();
        for (uint32_t i = 0; i < r->jobs.n; i++) {
                if (r->jobs.at[i].id && r->store->ops->remove(r->store, r->jobs.at[i].id) < 0)
                        return no_store(r);
                r->jobs.at[i].published = false;
        }
        return publish(r);
}

static int look(struct remote *r)
{
        double now = clock_now();
        uint32_t n = 0;
        int e;

        if (now - r->looked < r->lease * LEASE)
                return RUN_OK;
        r->looked = now;
        e = r->store->ops->lead(r->store, r->lease);
        if (e == 0)
                return error_set(r->s->why, ERROR_USAGE, "another process coordinates this search now");
        if (e > 0)
                e = r->store->ops->expire(r->store, r->lease);
        if (e >= 0)
                e = r->store->ops->workers(r->store, r->lease * FORGOTTEN, count_worker, &n);
        r->n_known = n > r->n_workers ? n : r->n_workers; /* its own may not have said anything yet */
        if (e >= 0 && r->store->renewed)
                return recover(r);
        return e < 0 ? no_store(r) : (int)RUN_OK;
}

/* Waits for the coordinator that this search had before, if there is one. */
static int lead(struct remote *r)
{
        bool said = false;
        int e;

        while ((e = r->store->ops->lead(r->store, r->lease)) == 0 && !loop_interrupted) {
                if (!said)
                        fprintf(stderr,
                                "heddle: another process coordinates this search; waiting for it to end (to take part: "
                                "heddle worker)\n");
                said = true;
                jobstore_nap(0.2);
        }
        return e < 0 ? no_store(r) : (int)RUN_OK;
}

static int start(struct remote *r)
{
        struct session *s = r->s;
        uint32_t epoch;
        int e = lead(r);

        if (getrandom(&epoch, sizeof epoch, 0) != sizeof epoch)
                epoch = (uint32_t)getpid();
        r->epoch = epoch;
        r->heard = clock_now();
        if (e == RUN_OK) /* the last search in this place may be over: no worker must take that for this one */
                e = tell(r, false);
        if (e == RUN_OK)
                e = remote_begin(r);
        if (e != RUN_OK)
                return e;
        target_stop(&s->program.target);
        core_unpin(&s->program.target.core);
        fflush(NULL);
        r->n_workers = s->config->jobs ? s->config->jobs : 1;
        r->workers = calloc(r->n_workers, sizeof *r->workers);
        r->whys = mmap(NULL, r->n_workers * sizeof *r->whys, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (!r->workers || r->whys == MAP_FAILED)
                return error_memory(s->why);
        r->n_known = r->n_workers;
        e = name_jobs(r) || r->jobs.n ? commit(r) : (int)RUN_OK;
        if (e == RUN_OK)
                e = tell(r, false);
        for (uint32_t i = 0; i < r->n_workers && e == RUN_OK; i++)
                start_worker(r, i);
        return e;
}

static void show(struct remote *r, loop_progress progress, void *arg)
{
        struct stats sum = r->s->result->stats;

        r->s->progress.explored = explored(r);
        if (!progress || clock_now() - r->s->progress.ticked < 0.1)
                return;
        r->s->progress.ticked = clock_now();
        sum.seconds = progress_seconds(&r->s->progress);
        stats_expect(&sum, r->s->progress.explored);
        r->s->result->stats.settling = sum.settling;
        progress(arg, &sum);
}

/* One round.  RUN_OK or below 0; r->ended, p->covered or p->reached when it is the last. */
static int round_of(struct remote *r)
{
        struct session *s = r->s;
        struct progress *p = &s->progress;
        bool any = false;
        int e = look(r);

        if (e == RUN_OK)
                e = take_answers(r, &any);
        if (e == RUN_OK && !r->ended)
                e = find_lost(r);
        if (e == RUN_OK && !r->ended)
                e = fill(r);
        if (e != RUN_OK)
                return e;
        any |= name_jobs(r);
        p->covered = !r->jobs.n && !jobtree_has(&r->tree);
        p->reached = progress_limits(p, s->config, &s->result->stats);
        if (any || r->ended || p->covered)
                e = commit(r);
        if (e == RUN_OK)
                e = tell_news(r);
        return e == RUN_OK ? look_after_workers(r) : e;
}

static int wait_for_answers(struct remote *r)
{
        double limit = r->s->config->seconds, tick = r->lease * LEASE < TICK ? r->lease * LEASE : TICK,
               left = limit > 0 ? limit - progress_seconds(&r->s->progress) : tick;

        return r->store->ops->wait(r->store, left < tick ? left : tick) < 0 ? no_store(r) : (int)RUN_OK;
}

int remote_explore(struct session *s, loop_progress progress, void *arg)
{
        struct remote r = {.s = s, .strategy = s->strategy, .lease = s->config->lease_seconds, .generation = 1};
        struct progress *p = &s->progress;
        int e;

        r.store = jobstore_open(s->config->store, s->why);
        if (!r.store)
                return ERROR_USAGE;
        r.store->search = remote_search(s);
        s->run.names_matter = true;
        p->was_shared = true;
        e = start(&r);
        while (e == RUN_OK && !r.ended && !p->covered && !p->reached) {
                e = round_of(&r);
                show(&r, progress, arg);
                if (e == RUN_OK && !r.ended && !p->covered && !p->reached)
                        e = wait_for_answers(&r);
        }
        p->ended = r.ended;
        if (e == RUN_OK && p->reached && s->config->save)
                save(&r);
        if (e == RUN_OK)
                e = tell(&r, true);
        if (e == RUN_OK && !p->reached) /* what is left can be taken up again */
                e = r.store->ops->clear(r.store) < 0 ? no_store(&r) : (int)RUN_OK;
        end_workers(&r);
        remote_fini(&r);
        estimate_reset(&p->estimate);
        return e;
}
