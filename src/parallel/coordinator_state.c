/*
 * An exploration by several, stored.
 *
 * Everybody is asked at once where he is, says so between two executions, and waits.  Messages come in the order in which
 * they were sent, so when the last one has reported, the tree holds what all have said before that, and nothing that belongs
 * to a later moment: together they are the exploration at one moment.  What the file holds in addition to what one worker
 * stores: the results of all, the tasks under way, each with its place in the tree, and the tree.
 */
#include "parallel/coordinator_state.h"

#include <stdlib.h>

#include "base/clock.h"
#include "engine/checkpoint.h"
#include "engine/fairness.h"
#include "strategy/share.h"
#include "verdict/result_state.h"

bool coordinator_put_off(struct coordinator *j, const struct stream *task, const struct jobtree_place *place)
{
        struct put_off *p;

        if (task->failed || !vec_reserve(&j->put_off, 1))
                return false;
        p = vec_push(&j->put_off);
        *p = (struct put_off){.task = STREAM_INIT, .place = *place};
        stream_put(&p->task, task->at, task->n);
        return !p->task.failed;
}

bool coordinator_take_up(struct coordinator *j, struct jobtree_place *place)
{
        uint32_t i = j->put_off.n;
        struct put_off p;

        *place = (struct jobtree_place){NULL, 0, 0};
        while (i && j->tree.open && !j->tree.open(j->tree.arg, j->put_off.at[i - 1].place.search))
                i--;
        if (!i)
                return false;
        p = j->put_off.at[i - 1];
        j->put_off.at[i - 1] = j->put_off.at[--j->put_off.n];
        *place = p.place;
        stream_put(&j->body, p.task.at, p.task.n);
        stream_fini(&p.task);
        return true;
}

void coordinator_drop(struct coordinator *j)
{
        while (j->put_off.n) {
                struct put_off *p = &j->put_off.at[--j->put_off.n];
                jobtree_done(&j->tree, &p->place);
                stream_fini(&p->task);
        }
        vec_fini(&j->put_off);
}

void coordinator_save(struct coordinator *j, bool last)
{
        bool asked = j->saving != SAVE_NOT;

        j->saving = last ? SAVE_LAST : SAVE_NOW;
        for (uint32_t i = 0; i < j->n && !asked; i++) {
                struct job *job = &j->all[i];

                job->has_answered = job->ended;
                stream_reset(&job->state);
                if (job->ended)
                        continue;
                message_put(&job->messages, MESSAGE_SAVE, j->generation, NULL);
                message_send(&job->messages);
                __atomic_store_n(&j->shared->figures[i].called, 1, __ATOMIC_SEQ_CST);
        }
}

/* The two parts of what a worker reported: its result, and its task. */
static void parts(struct stream *state, struct stream *result, struct stream *task)
{
        state->pos = 0;
        *result = (struct stream){.n = stream_get_count(state, UINT32_MAX - 1, 1)};
        result->at = state->at + state->pos;
        state->pos += result->n;
        *task = (struct stream){.n = stream_get_count(state, UINT32_MAX - 1, 1)};
        task->at = state->at + state->pos;
        state->pos += task->n;
}

/* What is put off now is what the workers are busy with, too. */
static bool gather(struct coordinator *j, struct stream *results, uint32_t *n_results)
{
        struct stream result, task;

        for (uint32_t i = 0; i < j->n; i++) {
                if (!j->all[i].state.n)
                        continue;
                parts(&j->all[i].state, &result, &task);
                if (!stream_done(&j->all[i].state) || (task.n > 0) != j->all[i].busy)
                        return false;
                stream_put(results, result.at, result.n);
                ++*n_results;
                if (task.n && !coordinator_put_off(j, &task, &j->all[i].place))
                        return false;
        }
        return true;
}

static bool put_all(struct coordinator *j, struct stream *out)
{
        uint32_t mine = j->put_off.n, n = 0;
        struct stream results = STREAM_INIT;
        struct jobtree_place *places;
        bool ok = gather(j, &results, &n);

        places = calloc(j->put_off.n + 1, sizeof *places);
        ok = ok && places && !results.failed;
        stream_put_u32(out, n);
        stream_put(out, results.at, results.n);
        if (j->strategy->ops->plan)
                j->strategy->ops->persist->save(j->strategy, out);
        stream_put_u32(out, j->put_off.n);
        for (uint32_t i = 0; i < j->put_off.n && ok; i++) {
                stream_put_array(out, j->put_off.at[i].task.at, (uint32_t)j->put_off.at[i].task.n, 1);
                places[i] = j->put_off.at[i].place;
        }
        if (ok)
                jobtree_save(&j->tree, places, j->put_off.n, out);
        while (j->put_off.n > mine)
                stream_fini(&j->put_off.at[--j->put_off.n].task);
        stream_fini(&results);
        free(places);
        return ok && !out->failed;
}

static void go_on(struct coordinator *j)
{
        bool last = j->saving == SAVE_LAST;

        j->saving = last ? SAVE_WRITTEN_LAST : SAVE_NOT;
        for (uint32_t i = 0; i < j->n && !last; i++)
                if (!j->all[i].ended) {
                        message_put(&j->all[i].messages, MESSAGE_SAVED, j->generation, NULL);
                        message_send(&j->all[i].messages);
                }
}

int coordinator_take_state(struct coordinator *j, struct job *job)
{
        struct stream out = STREAM_INIT;
        int e = 0;

        if (j->saving == SAVE_NOT || job->has_answered)
                return -1;
        job->has_answered = true;
        stream_reset(&job->state);
        stream_put(&job->state, j->body.at, j->body.n);
        for (uint32_t i = 0; i < j->n; i++)
                if (!j->all[i].has_answered)
                        return 0;
        j->s->result->stats.seconds = progress_seconds(&j->s->progress);
        if (put_all(j, &out))
                checkpoint_keep(j->s, j->strategy, &out);
        else
                e = -1;
        stream_fini(&out);
        go_on(j);
        return e;
}

static bool take_stored(void *arg, const struct stream *task)
{
        return coordinator_put_off(arg, task, &(struct jobtree_place){NULL, 0, 0});
}

static void put_at(void *arg, uint32_t i, const struct jobtree_place *place)
{
        ((struct coordinator *)arg)->put_off.at[i].place = *place;
}

bool coordinator_load(struct coordinator *j, struct stream *in)
{
        return (!j->strategy->ops->plan || !j->strategy->ops->persist->load(j->strategy, in)) &&
               jobtree_load_tasks(&j->tree, take_stored, put_at, j, in);
}

static bool put_part(void *arg, const struct stream *state, double size)
{
        struct coordinator *j = arg;

        (void)size;
        stream_reset(&j->body);
        stream_put_u32(&j->body, TASK_STATE);
        stream_put_u32(&j->body, false);
        stream_put(&j->body, state->at, state->n);
        return coordinator_put_off(j, &j->body, &(struct jobtree_place){NULL, 0, 0});
}

bool coordinator_put_parts(struct coordinator *j, uint32_t n)
{
        return j->strategy->ops->parts->divide(j->strategy, n, put_part, j);
}

bool coordinator_more_rounds(struct coordinator *j)
{
        struct stats *st = &j->s->result->stats;

        for (uint32_t i = 0; i < j->n; i++) {
                const struct jobs_figures *f = &j->shared->figures[i];
                uint64_t rounds = __atomic_load_n(&f->rounds, __ATOMIC_RELAXED);

                if (!__atomic_load_n(&f->unfair, __ATOMIC_RELAXED))
                        continue;
                stats_incomplete(st, REASON_FAIR, NULL);
                st->rounds = rounds > st->rounds ? rounds : st->rounds;
        }
        return fairness_more(j->s);
}
