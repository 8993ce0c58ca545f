/*
 * What the coordinator of a search on many machines knows, in a stream and back; and what an answer does to it.
 *
 * Invariant: a job is in the list from when it is known until its answer is taken in, with its place in the tree.  An answer changes
 * result, tree and list together, in memory; they are stored together.
 */
#include "parallel/remote_state.h"

#include <stdlib.h>
#include <string.h>

#include "engine/knowledge.h"
#include "parallel/message.h"
#include "parallel/remote_worker.h"
#include "strategy/registry.h"
#include "verdict/result_state.h"

#define MAX_JOBS (1u << 20)

bool remote_add(struct remote *r, const struct stream *task, const struct jobtree_place *place)
{
        struct remote_job *j;

        if (task->failed || !vec_reserve(&r->jobs, 1))
                return false;
        j = vec_push(&r->jobs);
        *j = (struct remote_job){.place = *place};
        stream_put(&j->task, task->at, task->n);
        return !j->task.failed;
}

bool remote_add_all(struct remote *r)
{
        struct stream task = STREAM_INIT;
        bool ok;

        stream_put_u32(&task, TASK_ALL);
        ok = remote_add(r, &task, &(struct jobtree_place){NULL, 0, 0});
        stream_fini(&task);
        return ok;
}

/* What one process has left of it (--resume). */
static bool add_rest(struct remote *r)
{
        struct stream task = STREAM_INIT;
        bool ok;

        stream_put_u32(&task, TASK_STATE);
        stream_put_u32(&task, false);
        r->strategy->ops->persist->save(r->strategy, &task);
        ok = remote_add(r, &task, &(struct jobtree_place){NULL, 0, 0});
        stream_fini(&task);
        return ok;
}

void remote_drop(struct remote *r)
{
        while (r->jobs.n) {
                struct remote_job *j = &r->jobs.at[--r->jobs.n];
                jobtree_done(&r->tree, &j->place);
                stream_fini(&j->task);
        }
        jobtree_fini(&r->tree);
}

void remote_fini(struct remote *r)
{
        remote_drop(r);
        vec_fini(&r->jobs);
        vec_fini(&r->used);
        stream_fini(&r->body);
        stream_fini(&r->sealed);
        r->store->ops->close(r->store);
}

static struct jobtree_place *places_of(const struct remote *r)
{
        struct jobtree_place *places = calloc(r->jobs.n + 1, sizeof *places);

        for (uint32_t i = 0; places && i < r->jobs.n; i++)
                places[i] = r->jobs.at[i].place;
        return places;
}

static void put_tree(struct remote *r, struct stream *out)
{
        struct jobtree_place *places = places_of(r);

        if (places)
                jobtree_save(&r->tree, places, r->jobs.n, out);
        out->failed |= !places;
        free(places);
}

/* Why another strategy explores, or nothing. */
static const char *instead(const struct remote *r)
{
        return r->replaced ? r->strategy->instead : "";
}

static int replace(struct remote *r, const char *why)
{
        int e = remote_replace(r->s, why);

        r->strategy = r->s->strategy;
        r->replaced = true;
        return e;
}

void remote_save(struct remote *r, struct stream *out)
{
        struct stream part = STREAM_INIT;

        stream_put_u32(out, REMOTE_VERSION);
        stream_put_u32(out, r->generation);
        stream_put_u32(out, r->ended);
        knowledge_save(&r->s->program, out);
        stream_put_text(out, instead(r));
        r->s->result->stats.seconds = progress_seconds(&r->s->progress);
        result_save(r->s->result, &part);
        stream_put_array(out, part.at, (uint32_t)part.n, 1);
        out->failed |= part.failed;
        stream_fini(&part);
        stream_put_u32(out, r->jobs.n);
        for (uint32_t i = 0; i < r->jobs.n; i++) {
                stream_put_u64(out, r->jobs.at[i].id);
                stream_put_u64(out, r->jobs.at[i].quota);
                stream_put_array(out, r->jobs.at[i].task.at, (uint32_t)r->jobs.at[i].task.n, 1);
        }
        put_tree(r, out);
}

/* As coordinator_state.c writes it: no results of workers, the tasks, the tree. */
void remote_checkpoint(struct remote *r, struct stream *out)
{
        stream_put_u32(out, 0);
        stream_put_u32(out, r->jobs.n);
        for (uint32_t i = 0; i < r->jobs.n; i++)
                stream_put_array(out, r->jobs.at[i].task.at, (uint32_t)r->jobs.at[i].task.n, 1);
        put_tree(r, out);
}

static bool load_jobs(struct remote *r, struct stream *in)
{
        uint32_t n = stream_get_max(in, MAX_JOBS);
        struct jobtree_place *places = calloc(n + 1, sizeof *places);
        bool ok = places != NULL;

        for (uint32_t i = 0; i < n && ok; i++) {
                uint64_t id = stream_get_u64(in), quota = stream_get_u64(in);
                uint32_t size = stream_get_count(in, UINT32_MAX - 1, 1);
                struct stream task = {.at = in->at + in->pos, .n = size};

                ok = !in->failed && size && remote_add(r, &task, &places[0]);
                in->pos += size;
                if (ok) {
                        r->jobs.at[i].id = id;
                        r->jobs.at[i].quota = quota;
                }
        }
        ok = ok && jobtree_load(&r->tree, places, n, in) && stream_done(in);
        for (uint32_t i = 0; i < n && ok; i++)
                r->jobs.at[i].place = places[i];
        free(places);
        return ok;
}

static bool load_strategy(struct remote *r, struct stream *in)
{
        char *why = stream_get_text(in, REMOTE_WHY);
        bool ok = why && (!*why || replace(r, why) == RUN_OK);

        free(why);
        return ok;
}

static bool load_state(struct remote *r, struct stream *in)
{
        struct stream part = STREAM_INIT;
        uint32_t n;
        bool ok = jobstore_unseal(in, r->store, BLOB_STATE, 0) && stream_get_u32(in) == REMOTE_VERSION;

        r->generation = stream_get_u32(in);
        r->ended = stream_get_max(in, 1);
        ok = ok && !knowledge_load(&r->s->run, in) && load_strategy(r, in);
        part.at = stream_get_array(in, UINT32_MAX - 1, 1, &n);
        part.n = part.room = n;
        ok = ok && !result_merge(r->s->result, &part) && stream_done(&part);
        stream_fini(&part);
        r->s->progress.before = r->s->result->stats.seconds;
        return ok && load_jobs(r, in);
}

int remote_put_head(struct remote *r)
{
        struct remote_head head = {.version = REMOTE_VERSION, .lease = r->lease};

        head.identity = identity_of_session(r->s);
        stream_reset(&r->body);
        stream_put(&r->body, &head, sizeof head);
        stream_put_text(&r->body, r->s->config->name);
        stream_put_u32(&r->body, r->s->config->n_words);
        for (uint32_t i = 0; i < r->s->config->n_words; i++)
                stream_put_text(&r->body, r->s->config->words[i]);
        jobstore_seal(&r->sealed, &r->body, NULL, BLOB_HEAD, 0);
        return r->store->ops->put(r->store, BLOB_HEAD, &r->sealed) < 0
                       ? error_set(r->s->why, ERROR_USAGE, "%s", r->store->why.text)
                       : (int)RUN_OK;
}

int remote_put_world(struct remote *r)
{
        stream_reset(&r->body);
        stream_put_u32(&r->body, r->generation);
        knowledge_save(&r->s->program, &r->body);
        stream_put_text(&r->body, instead(r));
        jobstore_seal(&r->sealed, &r->body, r->store, BLOB_WORLD, 0);
        return r->store->ops->put(r->store, BLOB_WORLD, &r->sealed) < 0
                       ? error_set(r->s->why, ERROR_USAGE, "%s", r->store->why.text)
                       : (int)RUN_OK;
}

/* --resume: the tasks that a checkpoint has, without ids. */
static bool take_stored(void *arg, const struct stream *task)
{
        return remote_add(arg, task, &(struct jobtree_place){NULL, 0, 0});
}

static void put_at(void *arg, uint32_t i, const struct jobtree_place *place)
{
        ((struct remote *)arg)->jobs.at[i].place = *place;
}

static bool load_checkpoint(struct remote *r)
{
        return jobtree_load_tasks(&r->tree, take_stored, put_at, r, &r->s->progress.shared);
}

int remote_begin(struct remote *r)
{
        struct stream body = STREAM_INIT;
        struct remote_head head;
        struct identity own = identity_of_session(r->s);
        const char *differs = NULL;
        int e = r->store->ops->get(r->store, BLOB_HEAD, &body);

        if (e > 0 && jobstore_unseal(&body, NULL, BLOB_HEAD, 0)) {
                stream_get(&body, &head, sizeof head);
                differs = body.failed ? "another version of heddle" : identity_differs(&head.identity, &own);
        }
        e = e < 0 ? e : r->store->ops->get(r->store, BLOB_STATE, &body);
        if (e > 0 && differs)
                e = error_set(r->s->why, ERROR_USAGE,
                              "there is a search of another program in this place: it has %s; name another place",
                              differs);
        else if (e > 0)
                e = load_state(r, &body)
                            ? (int)RUN_OK
                            : error_set(r->s->why, ERROR_USAGE, "the state of the search is damaged; remove it");
        else if (e < 0)
                e = error_set(r->s->why, ERROR_USAGE, "%s", r->store->why.text);
        else
                e = (r->s->progress.shared.n ? load_checkpoint(r)
                     : r->s->config->resume  ? add_rest(r)
                                             : remote_add_all(r))
                            ? (int)RUN_OK
                            : error_memory(r->s->why);
        stream_fini(&body);
        if (e == RUN_OK)
                e = remote_put_head(r);
        return e == RUN_OK ? remote_put_world(r) : e;
}

/* A part of an answer: its size, then its bytes. */
static struct stream get_part(struct stream *in)
{
        uint64_t n = stream_get_u64(in);
        struct stream part = {0};

        if (in->failed || n > in->n - in->pos) {
                in->failed = true;
                return part;
        }
        part.at = in->at + in->pos;
        part.n = part.room = n;
        in->pos += n;
        return part;
}

static int take_messages(struct remote *r, struct jobtree_place *place, const struct stream *part)
{
        struct messages m = {.fd = -1, .in = *part};
        struct message_head head;
        struct stream body = STREAM_INIT;
        int e = 0, more = 0;

        while (!e && (more = message_take(&m, &head, &body)) > 0)
                switch (head.kind) {
                case MESSAGE_SPLIT: e = jobtree_split(&r->tree, place, &body); break;
                case MESSAGE_FIRST: e = jobtree_first(&r->tree, place, &body); break;
                case MESSAGE_RACE: e = jobtree_race(&r->tree, place, &body); break;
                default: e = -1;
                }
        stream_fini(&body);
        return e || more < 0 || m.in.pos != m.in.n ? -1 : 0;
}

static int malformed(struct remote *r)
{
        return error_set(r->s->why, ERROR_FAIL, "a worker's answer is malformed, or out of memory");
}

static enum remote_heard hear_failure(struct remote *r, struct stream *in, int *e)
{
        uint32_t usage = stream_get_max(in, 1);
        char *text = stream_get_text(in, 511);

        *e = error_set(r->s->why, usage ? ERROR_USAGE : ERROR_FAIL, "%s", text ? text : "a worker failed");
        free(text);
        return HEARD_TAKEN;
}

static enum remote_heard hear_replaced(struct remote *r, struct stream *in, int *e)
{
        char *why = stream_get_text(in, REMOTE_WHY);

        *e = why ? replace(r, why) : malformed(r);
        free(why);
        return HEARD_GREW;
}

/* What is left of job i, in parts: the first one takes its place. */
static bool take_parts(struct remote *r, uint32_t i, struct stream *in)
{
        struct jobtree_place none = {NULL, 0, 0};
        bool ok = true;

        for (uint32_t n = 0; ok && (in->pos < in->n || !n); n++) {
                struct stream part = get_part(in);

                ok = !in->failed && part.n && (!n || remote_add(r, &part, &none));
                if (ok && !n)
                        stream_put(&r->jobs.at[i].task, part.at, part.n);
        }
        r->jobs.at[i].id = 0;
        return ok && !r->jobs.at[i].task.failed;
}

enum remote_heard remote_hear(struct remote *r, uint64_t id, struct stream *in, int *e)
{
        uint32_t i = 0, kind;
        struct stream messages, result;
        struct remote_job *j;

        while (i < r->jobs.n && r->jobs.at[i].id != id)
                i++;
        if (i == r->jobs.n)
                return HEARD_UNKNOWN;
        j = &r->jobs.at[i];
        if (!jobstore_unseal(in, r->store, SEALED_RESULT, id)) {
                j->published = false;
                return HEARD_DAMAGED;
        }
        kind = stream_get_max(in, ANSWERS - 1);
        if (kind == ANSWER_FAILED)
                return hear_failure(r, in, e);
        if (kind == ANSWER_GREW) {
                *e = knowledge_merge(&r->s->run, in) ? malformed(r) : (int)RUN_OK;
                return HEARD_GREW;
        }
        if (kind == ANSWER_REPLACED)
                return hear_replaced(r, in, e);
        messages = get_part(in);
        result = get_part(in);
        if (in->failed || take_messages(r, &j->place, &messages) || result_merge(r->s->result, &result) ||
            !stream_done(&result)) {
                *e = malformed(r);
                return HEARD_TAKEN;
        }
        r->ended |= kind == ANSWER_ENDED;
        if (kind == ANSWER_ENDED)
                stream_get(in, &r->failed, sizeof r->failed);
        stream_reset(&j->task);
        if (kind == ANSWER_LEFT) {
                stream_put(&j->task, in->at + in->pos, in->n - in->pos);
                j->id = 0;
                *e = j->task.failed ? malformed(r) : (int)RUN_OK;
                return HEARD_TAKEN;
        }
        if (kind == ANSWER_PARTS) {
                *e = take_parts(r, i, in) ? (int)RUN_OK : malformed(r);
                return HEARD_TAKEN;
        }
        jobtree_done(&r->tree, &j->place);
        stream_fini(&j->task);
        *j = r->jobs.at[--r->jobs.n];
        return HEARD_TAKEN;
}
