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

#define LEAST      0.5 /* seconds of a job */
#define LOOK_EVERY 0.5 /* seconds between looks at the store */
#define TELL_EVERY 1.0 /* ... between figures */
#define MOST_PART \
        30.0 /* seconds of a job that is a part (struct parts_ops), and so many times what it takes to begin it: */
#define WAYS   10.0
#define SPLITS 16u /* of one job, at most */

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
        double started, heard, shown, renewed, taken; /* when; heard: of a search, shown: the figures */
        double ready;                                 /* when the first execution of the job began; 0: not yet */
        double used; /* processor time at the start, and that of executions since then */
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
        w->heard = clock_now();
        return stream_done(&w->body) ? 1
                                     : error_set(w->s->why, ERROR_USAGE, "the search is of another version of heddle");
}

/* Now and then. */
static int tell_figures(struct remote_worker *w)
{
        struct stream plain = STREAM_INIT;
        double now = clock_now();
        int e;

        if (now - w->shown < TELL_EVERY)
                return RUN_OK;
        w->shown = now;
        w->figures.seconds = now - w->started;
        w->figures.spent = clock_used() - w->used;
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

bool remote_over(struct jobstore *store)
{
        struct stream body = STREAM_INIT;
        struct remote_told told = {0};

        if (store->ops->get(store, BLOB_TOLD, &body) > 0 && jobstore_unseal(&body, NULL, BLOB_TOLD, 0))
                stream_get(&body, &told, sizeof told);
        stream_fini(&body);
        return told.over;
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
                if (!e && remote_over(store)) /* meanwhile */
                        return RUN_OK;
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

int remote_replace(struct session *s, const char *why)
{
        static char text[160]; /* the report names it */

        if (!s->strategy->ops->parts)
                return RUN_OK;
        snprintf(text, sizeof text, "%s", why);
        return loop_replace(s, text);
}

/* Another strategy explores, if the coordinator says so. */
static int learn_strategy(struct remote_worker *w)
{
        char *why = stream_get_text(&w->body, REMOTE_WHY);
        int e = why && *why ? remote_replace(w->s, why) : (int)RUN_OK;

        w->strategy = w->s->strategy;
        w->share = w->strategy->ops->share;
        free(why);
        return e;
}

/* What is known of the program, where that has changed. */
static int learn_world(struct remote_worker *w, uint32_t generation)
{
        int e = w->store->ops->get(w->store, BLOB_WORLD, &w->body);

        if (e < 0)
                return no_store(w);
        if (!e || !jobstore_unseal(&w->body, w->store, BLOB_WORLD, 0) || stream_get_u32(&w->body) != generation)
                return 0; /* the job is of a generation that is over */
        if (knowledge_load(&w->s->run, &w->body) || learn_strategy(w) != RUN_OK)
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
                if (kind == TASK_BRANCH && !w->share)
                        copy.failed = true;
                else if (kind != TASK_ALL && (kind == TASK_STATE ? w->strategy->ops->persist->load(w->strategy, &copy)
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
        struct stream *races = w->share ? w->share->races(w->strategy) : NULL;

        if (races && races->n) {
                message_put(&w->out, MESSAGE_RACE, 0, races);
                stream_reset(races);
        }
        if (!w->first || !w->share)
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
        double until = clock_now() + (w->lease / 4 < LOOK_EVERY ? w->lease / 4 : LOOK_EVERY);
        int e = LOOP_MORE;

        while (e == LOOP_MORE && clock_now() < until && !loop_interrupted) {
                const struct stats *st = &s->result->stats;
                if (w->quota && st->executions + st->cut_depth >= w->quota)
                        return LOOP_MORE;
                if (w->strategy->searches) /* it continues after the look */
                        late_after(until, true);
                e = strategy_next(w->strategy, &s->run.schedule, clock_now());
                if (e < 0)
                        return error_memory(s->why);
                if (e && w->strategy->searches && late_reported())
                        return LOOP_MORE;
                *done = !e;
                if (*done)
                        return LOOP_MORE;
                w->ready = w->ready > 0 ? w->ready : clock_now();
                e = loop_step(s, w->strategy);
                if (e == LOOP_MORE)
                        note(w);
        }
        return e;
}

/* Is it time to answer?  What is left of a search that is not a tree is large, and each job finds its way again at its beginning: jobs are
 * longer there, so that this is a small part of them. */
static bool is_time(const struct remote_worker *w, double now)
{
        const struct stats *st = &w->s->result->stats;
        double way = w->share ? 0 : WAYS * (w->ready - w->taken), least = LEAST > way ? LEAST : way,
               most = w->share ? REMOTE_MOST : MOST_PART + way;

        if (w->told.over || w->told.generation != w->generation)
                return true;
        if (w->ready <= 0)
                return false;
        return now - w->taken >= most || (w->told.want && now - w->taken >= least) ||
               (w->quota && st->executions + st->cut_depth >= w->quota);
}

/* Explores the job until it is time to answer.  enum loop_more, or below 0. */
static int explore(struct remote_worker *w, uint64_t id, bool *done)
{
        double began = clock_now(), now = began, used;
        int e = LOOP_MORE;

        *done = false;
        w->ready = 0;
        while (e == LOOP_MORE || e == LOOP_AGAIN) {
                used = clock_used();
                e = run(w, done);
                w->used += clock_used() - used;
                now = clock_now();
                if (e != LOOP_MORE || *done || loop_interrupted)
                        break;
                if (hear(w) < 0)
                        return ERROR_USAGE;
                if (is_time(w, now))
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

static bool put_task(void *arg, const struct stream *state, double size)
{
        struct remote_worker *w = arg;

        (void)size;
        stream_put_u64(&w->part, state->n + 8);
        stream_put_u32(&w->part, TASK_STATE);
        stream_put_u32(&w->part, false);
        stream_put(&w->part, state->at, state->n);
        return !w->part.failed;
}

/* The rest of the job, for as many workers as there are to take it. */
static void put_rest(struct remote_worker *w)
{
        const struct parts_ops *parts = w->strategy->ops->parts;
        uint32_t others = w->told.want < SPLITS ? w->told.want : SPLITS;

        if (parts) {
                w->part.failed |= !parts->divide(w->strategy, 1 + others, put_task, w);
                return;
        }
        stream_put_u32(&w->part, TASK_STATE);
        stream_put_u32(&w->part, w->first);
        w->strategy->ops->persist->save(w->strategy, &w->part);
}

static void write_answer(struct remote_worker *w, int e, bool done)
{
        struct session *s = w->s;
        bool over = e == LOOP_ENDED;

        stream_reset(&w->part);
        if (e == LOOP_GREW && w->strategy->unmodelled) {
                stream_put_u32(&w->part, ANSWER_REPLACED);
                stream_put_text(&w->part, w->strategy->unmodelled);
                return;
        }
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
        if (!done && !over && w->share)
                split(w);
        stream_put_u32(&w->part, over ? ANSWER_ENDED : done ? ANSWER_DONE : w->share ? ANSWER_LEFT : ANSWER_PARTS);
        put_part(w, &w->out.out);
        stream_reset(&w->body);
        result_save(s->result, &w->body);
        put_part(w, &w->body);
        if (over)
                stream_put(&w->part, &(double){clock_date()}, sizeof(double));
        else if (!done)
                put_rest(w);
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
        int e = w->store->ops->take(w->store, &id, &job, LOOK_EVERY), r;

        if (e < 0)
                return no_store(w);
        if (!e)
                return 0;
        w->taken = w->renewed = clock_now();
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
        w->used = clock_used();
        w->s->run.names_matter = true;
        return e < 0 ? no_store(w) : tell_figures(w);
}

int remote_work(struct session *s, struct jobstore *store)
{
        struct remote_worker w = {
                .s = s, .strategy = s->strategy, .share = s->strategy->ops->share, .store = store, .out = {.fd = -1}};
        int e = begin(&w);

        while (e == RUN_OK && !loop_interrupted) {
                e = clock_now() - w.heard < LOOK_EVERY / 2 ? 1 : hear(&w);
                if (e < 0 || (e && w.told.over))
                        break;
                if (e)
                        e = work(&w);
                else
                        jobstore_nap(LOOK_EVERY / 2);
                e = e < 0 ? e : tell_figures(&w);
        }
        stream_fini(&w.body);
        stream_fini(&w.part);
        stream_fini(&w.sealed);
        message_fini(&w.out);
        return e < 0 ? e : (int)RUN_OK;
}
