/*
 * A worker of a search on many machines: takes a job, explores for a while, and answers with what it has found, what concerns common
 * nodes, and the rest of the job if there is one, all in one blob.  Nothing of a job counts before its answer is there, so a worker may
 * end at any moment.
 *
 * A job is at least LEAST seconds of work.  After that it ends when others have nothing to do: then upper nodes of its path become
 * common, and their branches are the coordinator's to hand out.
 */
#include "parallel/remote_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "engine/knowledge.h"
#include "engine/loop.h"
#include "parallel/jobtree.h"
#include "parallel/message.h"
#include "parallel/remote_format.h"
#include "strategy/share.h"
#include "verdict/result_state.h"

#define LEAST      0.5  /* seconds of a job */
#define LOOK_EVERY 0.1  /* seconds between looks at the store */
#define IDLE       0.05 /* ... without a job */
#define SPLITS     16u  /* of one job, at most */

struct remote_worker {
        struct session *s;
        struct strategy *strategy;
        const struct share_ops *share;
        struct jobstore *store;
        struct remote_told told;
        double lease;
        uint32_t generation; /* of what is known of the program; 0: of nothing */
        bool first;          /* the first transition of the job is still to be sent */
        uint64_t quota;      /* of executions, 0: none */
        struct messages out; /* of the job under way */
        struct stream body, part, sealed;
        struct remote_figures figures;
        double started, looked, renewed;
};

static int no_store(struct remote_worker *w)
{
        return error_set(w->s->why, ERROR_USAGE, "%s", w->store->why.text);
}

/* Reads what the coordinator tells.  1: there is a search. */
static int hear(struct remote_worker *w)
{
        int e = w->store->ops->get(w->store, BLOB_TOLD, &w->body);

        if (e <= 0)
                return e < 0 ? no_store(w) : 0;
        if (!jobstore_unseal(&w->body, NULL, BLOB_TOLD, 0))
                return error_set(w->s->why, ERROR_USAGE,
                                 "the search is damaged: what its coordinator tells cannot be read");
        stream_get(&w->body, &w->told, sizeof w->told);
        return stream_done(&w->body) ? 1
                                     : error_set(w->s->why, ERROR_USAGE, "the search is of another version of heddle");
}

static int tell_figures(struct remote_worker *w)
{
        struct stream plain = STREAM_INIT;
        int e;

        w->figures.seconds = clock_now() - w->started;
        stream_put(&plain, &w->figures, sizeof w->figures);
        jobstore_seal(&w->sealed, &plain, NULL, SEALED_FIGURES, 0);
        stream_fini(&plain);
        e = w->store->ops->tell(w->store, &w->sealed);
        return e < 0 ? no_store(w) : (int)RUN_OK;
}

uint64_t remote_search(const struct session *s)
{
        struct identity own = identity_of_session(s);

        return stream_hash(0, &own, sizeof own);
}

int remote_check(struct session *s, struct jobstore *store)
{
        struct stream body = STREAM_INIT;
        struct identity own = identity_of_session(s);
        struct remote_head head;
        const char *differs;
        int e = store->ops->get(store, BLOB_HEAD, &body);

        if (e < 0)
                return error_set(s->why, ERROR_USAGE, "%s", store->why.text);
        if (!e || !jobstore_unseal(&body, NULL, BLOB_HEAD, 0)) {
                stream_fini(&body);
                return error_set(s->why, ERROR_USAGE, "there is no search, or it is damaged");
        }
        stream_get(&body, &head, sizeof head);
        e = body.failed || head.version != REMOTE_VERSION;
        stream_fini(&body);
        if (e)
                return error_set(s->why, ERROR_USAGE, "the search is of another version of heddle");
        differs = identity_differs(&head.identity, &own);
        return differs ? error_set(s->why, ERROR_USAGE, "the search is not this program's: it has %s", differs)
                       : (int)RUN_OK;
}

/* What is known of the program, where that has changed. */
static int learn_world(struct remote_worker *w, uint32_t generation)
{
        int e = w->store->ops->get(w->store, BLOB_WORLD, &w->body);

        if (e < 0)
                return no_store(w);
        if (!e || !jobstore_unseal(&w->body, w->store, BLOB_WORLD, 0) || stream_get_u32(&w->body) != generation)
                return 0; /* the job is of a generation that is over */
        if (knowledge_load(&w->s->run, &w->body))
                return error_set(w->s->why, ERROR_USAGE,
                                 "the search is damaged: the description of the program is malformed");
        w->generation = generation;
        return 1;
}

/* Results are those of one job. */
static void forget(struct remote_worker *w)
{
        struct session *s = w->s;

        w->strategy->ops->reset(w->strategy);
        progress_reset(&s->progress);
        judge_reset(&s->judge, false);
        s->run.doubtful = false;
        s->result->n_busy = 0;
        s->result->stats = (struct stats){.complete = true};
        stream_reset(&w->out.out);
        w->strategy->found = false;
}

/* 1: the job is loaded, 0: it is void. */
static int load(struct remote_worker *w, uint64_t id, struct stream *in)
{
        struct stream copy = STREAM_INIT;
        uint32_t generation, kind;
        int e = jobstore_unseal(in, w->store, SEALED_JOB, id)
                        ? 1
                        : error_set(w->s->why, ERROR_USAGE, "a job is damaged: it has another hash");

        if (e < 0)
                return e;
        generation = stream_get_u32(in);
        w->quota = stream_get_u64(in);
        stream_put(&copy, in->at + in->pos, in->n - in->pos);
        if (generation != w->generation)
                e = learn_world(w, generation);
        if (e > 0) {
                forget(w);
                kind = stream_get_max(&copy, TASK_BRANCH);
                w->first = kind == TASK_STATE ? stream_get_max(&copy, 1) : kind == TASK_BRANCH;
                if (kind != TASK_ALL && (kind == TASK_STATE ? w->strategy->ops->persist->load(w->strategy, &copy)
                                                            : w->share->adopt(w->strategy, &copy)))
                        copy.failed = true;
                if (!stream_done(&copy))
                        e = error_set(w->s->why, ERROR_USAGE, "a job is damaged: it is malformed");
        }
        stream_fini(&copy);
        return e;
}

/* What an execution showed that concerns common nodes. */
static void note(struct remote_worker *w)
{
        struct stream *races = w->share->races(w->strategy);

        if (races && races->n) {
                message_put(&w->out, MESSAGE_RACE, 0, races);
                stream_reset(races);
        }
        if (!w->first)
                return;
        w->first = false;
        stream_reset(&w->body);
        w->share->first(w->strategy, &w->body);
        message_put(&w->out, MESSAGE_FIRST, 0, &w->body);
}

/* Some executions.  LOOP_MORE: until it is time for a look. */
static int run(struct remote_worker *w, bool *done)
{
        struct session *s = w->s;
        double until = clock_now() + LOOK_EVERY;
        int e = LOOP_MORE;

        while (e == LOOP_MORE && clock_now() < until && !loop_interrupted) {
                const struct stats *st = &s->result->stats;
                if (w->quota && st->executions + st->cut_depth >= w->quota)
                        return LOOP_MORE;
                e = strategy_next(w->strategy, &s->run.schedule, clock_now());
                if (e < 0)
                        return error_memory(s->why);
                *done = !e;
                if (*done)
                        return LOOP_MORE;
                e = loop_step(s, w->strategy);
                if (e == LOOP_MORE)
                        note(w);
        }
        return e;
}

/* Explores the job until it is time to answer.  enum loop_more, or below 0. */
static int explore(struct remote_worker *w, uint64_t id, bool *done)
{
        double began = clock_now(), now = began;
        int e = LOOP_MORE;

        *done = false;
        while (e == LOOP_MORE || e == LOOP_AGAIN) {
                const struct stats *st = &w->s->result->stats;

                e = run(w, done);
                now = clock_now();
                if (e != LOOP_MORE || *done || loop_interrupted)
                        break;
                if (hear(w) < 0)
                        return ERROR_USAGE;
                if (w->told.over || w->told.generation != w->generation || now - began >= REMOTE_MOST ||
                    (w->told.want && now - began >= LEAST) || (w->quota && st->executions + st->cut_depth >= w->quota))
                        break;
                if (now - w->renewed > w->lease / 4) {
                        w->renewed = now;
                        if (w->store->ops->renew(w->store, id) < 0)
                                return no_store(w);
                        if (tell_figures(w) != RUN_OK)
                                return ERROR_USAGE;
                }
        }
        w->figures.busy += now - began;
        w->figures.executions += w->s->result->stats.executions;
        return e;
}

static void put_part(struct remote_worker *w, const struct stream *part)
{
        stream_put_u64(&w->part, part->n);
        stream_put(&w->part, part->at, part->n);
        w->part.failed |= part->failed;
}

/* The upper nodes become common, as many times as there are workers to take what is there. */
static void split(struct remote_worker *w)
{
        for (uint32_t i = 0; i < w->told.want && i < SPLITS; i++) {
                stream_reset(&w->body);
                if (!w->share->split(w->strategy, &w->body))
                        return;
                message_put(&w->out, MESSAGE_SPLIT, 0, &w->body);
        }
}

static void write_answer(struct remote_worker *w, int e, bool done)
{
        struct session *s = w->s;
        bool over = e == LOOP_ENDED;

        stream_reset(&w->part);
        if (e == LOOP_GREW) {
                stream_put_u32(&w->part, ANSWER_GREW);
                knowledge_save(&s->program, &w->part);
                return;
        }
        if (e < 0) {
                stream_put_u32(&w->part, ANSWER_FAILED);
                stream_put_u32(&w->part, e == ERROR_USAGE);
                stream_put_text(&w->part, s->why->text);
                return;
        }
        if (!done && !over)
                split(w);
        stream_put_u32(&w->part, over ? ANSWER_ENDED : done ? ANSWER_DONE : ANSWER_LEFT);
        put_part(w, &w->out.out);
        stream_reset(&w->body);
        result_save(s->result, &w->body);
        put_part(w, &w->body);
        if (done || over)
                return;
        stream_put_u32(&w->part, TASK_STATE);
        stream_put_u32(&w->part, w->first);
        w->strategy->ops->persist->save(w->strategy, &w->part);
}

static int answer(struct remote_worker *w, uint64_t id, int e, bool done)
{
        write_answer(w, e, done);
        if (e == LOOP_GREW) /* what this worker knows is more than the others do */
                w->generation = 0;
        jobstore_seal(&w->sealed, &w->part, w->store, SEALED_RESULT, id);
        if (w->sealed.failed)
                return error_memory(w->s->why);
        w->figures.jobs++;
        return w->store->ops->answer(w->store, id, &w->sealed) < 0 ? no_store(w) : tell_figures(w);
}

/* One job.  1: it was done, 0: there is none. */
static int work(struct remote_worker *w)
{
        struct stream job = STREAM_INIT;
        bool done = false;
        uint64_t id;
        int e = w->store->ops->take(w->store, &id, &job), r;

        if (e < 0)
                return no_store(w);
        if (!e)
                return 0;
        w->renewed = clock_now();
        r = load(w, id, &job);
        stream_fini(&job);
        if (!r) /* it is not needed */
                return w->store->ops->remove(w->store, id) < 0 ? no_store(w) : 1;
        if (r > 0)
                r = explore(w, id, &done);
        if (r == ERROR_USAGE && w->store->why.text[0])
                return r;     /* no coordinator is left */
        if (loop_interrupted) /* the last execution is known in part: another worker does the job */
                return 1;
        r = r == LOOP_AGAIN ? LOOP_MORE : r;
        e = answer(w, id, r, done);
        return e == RUN_OK ? 1 : e;
}

static int begin(struct remote_worker *w)
{
        struct stream body = STREAM_INIT;
        struct remote_head head = {.lease = 10};
        int e = w->store->ops->get(w->store, BLOB_HEAD, &body);

        if (e > 0 && jobstore_unseal(&body, NULL, BLOB_HEAD, 0))
                stream_get(&body, &head, sizeof head);
        stream_fini(&body);
        w->lease = w->store->lease = head.lease > 0.1 ? head.lease : 10;
        w->store->search = remote_search(w->s);
        w->started = clock_now();
        w->s->run.names_matter = true;
        return e < 0 ? no_store(w) : tell_figures(w);
}

int remote_work(struct session *s, struct jobstore *store)
{
        struct remote_worker w = {
                .s = s, .strategy = s->strategy, .share = s->strategy->ops->share, .store = store, .out = {.fd = -1}};
        int e = begin(&w);

        while (e == RUN_OK && !loop_interrupted) {
                e = hear(&w);
                if (e < 0 || (e && w.told.over))
                        break;
                e = e ? work(&w) : 0;
                if (!e)
                        store->ops->wait(store, IDLE);
                if (clock_now() - w.looked > 1) {
                        w.looked = clock_now();
                        e = e < 0 ? e : tell_figures(&w);
                }
                e = e < 0 ? e : (int)RUN_OK;
        }
        stream_fini(&w.body);
        stream_fini(&w.part);
        stream_fini(&w.sealed);
        message_fini(&w.out);
        return e < 0 ? e : (int)RUN_OK;
}
