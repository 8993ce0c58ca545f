/*
 * A Redis server as a store of jobs (hiredis).  NAME is the search; its keys begin with heddle:NAME:
 *
 *     head state news world     blobs
 *     leader                    the name of the coordinator; the lease is its expiry
 *     bodies                    a hash: the job of each id
 *     jobs                      a stream of ids with one consumer group: which worker has which job, and since when
 *     results                   a hash, written once for each id (HSETNX)
 *     wake                      a list: has an entry if results may be there that the coordinator has not seen
 *     worker:WORKER             what a worker tells of itself; expires
 *
 * What belongs together is one script, so whatever the server has forgotten after a crash, the rest is as it was at one moment.
 * Commands may be repeated (redis_link.h): repeating any of them does no harm.
 */
#include "parallel/store/redis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/store/redis_link.h"

#define WORKER_SECS 30
#define KEY         384

struct redis {
        struct jobstore base;
        struct redis_link link;
        char entry[64];  /* of the job that was taken last, in the stream */
        redisReply *ids; /* of results, being read */
        size_t at;
};

static struct redis *of(struct jobstore *s)
{
        return (struct redis *)s;
}

static const char *key(const struct redis *r, char out[KEY], const char *what)
{
        snprintf(out, KEY, "heddle:%s:%s", r->link.url.name, what);
        return out;
}

/* Words that end with NULL, and then a blob, if there is one. */
static redisReply *ask_blob(struct redis *r, const struct stream *body, const char *first, ...)
{
        const char *words[16] = {first};
        size_t sizes[16] = {strlen(first)};
        int n = 1;
        va_list ap;

        va_start(ap, first);
        for (; n < 15 && (words[n] = va_arg(ap, const char *)); n++)
                sizes[n] = strlen(words[n]);
        va_end(ap);
        if (body) {
                words[n] = body->n ? (const char *)body->at : "";
                sizes[n++] = body->n;
        }
        return redis_link_ask(&r->link, n, words, sizes);
}

#define ask(r, ...) ask_blob(r, NULL, __VA_ARGS__)

/* The reply is not needed. */
static int done(redisReply *reply)
{
        if (reply)
                freeReplyObject(reply);
        return reply ? 0 : -1;
}

/* A reply as a number of things: 1 or 0. */
static int is_yes(redisReply *reply)
{
        int yes = reply &&
                  ((reply->type == REDIS_REPLY_INTEGER && reply->integer > 0) || reply->type == REDIS_REPLY_STATUS);

        return reply ? (freeReplyObject(reply), yes) : -1;
}

static int take_blob(redisReply *reply, struct stream *body)
{
        int there = reply && reply->type == REDIS_REPLY_STRING;

        stream_reset(body);
        if (there)
                stream_put(body, reply->str, reply->len);
        return reply ? (freeReplyObject(reply), there) : -1;
}

static const char *text_of(uint64_t id, char out[32])
{
        snprintf(out, 32, "%016llx", (unsigned long long)id);
        return out;
}

static void redis_rewind(struct jobstore *base)
{
        if (of(base)->ids)
                freeReplyObject(of(base)->ids);
        of(base)->ids = NULL;
}

static void redis_close(struct jobstore *base)
{
        redis_rewind(base);
        redis_link_close(&of(base)->link);
        memset(of(base)->link.url.password, 0, sizeof of(base)->link.url.password);
        free(base);
}

static int redis_lead(struct jobstore *base, double lease)
{
        static const char take_over[] = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
                                        "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) return 1";
        struct redis *r = of(base);
        struct stream who = STREAM_INIT;
        char leader[KEY], ms[32];
        int e;

        snprintf(ms, sizeof ms, "%d", (int)(lease * 1000) + 1);
        key(r, leader, "leader");
        e = is_yes(ask(r, "SET", leader, jobstore_self(), "NX", "PX", ms, NULL));
        if (e)
                return e;
        e = take_blob(ask(r, "GET", leader, NULL), &who);
        stream_put(&who, "", 1);
        if (e > 0 && !strcmp((char *)who.at, jobstore_self()))
                e = is_yes(ask(r, "PEXPIRE", leader, ms, NULL));
        else if (e > 0 && jobstore_gone((char *)who.at))
                e = is_yes(ask(r, "EVAL", take_over, "1", leader, (char *)who.at, jobstore_self(), ms, NULL));
        else
                e = e < 0 ? e : 0;
        stream_fini(&who);
        return e;
}

static int redis_get(struct jobstore *base, enum jobstore_blob which, struct stream *body)
{
        char k[KEY];

        return take_blob(ask(of(base), "GET", key(of(base), k, jobstore_blob_name(which)), NULL), body);
}

static int redis_put(struct jobstore *base, enum jobstore_blob which, const struct stream *body)
{
        char k[KEY];

        return done(ask_blob(of(base), body, "SET", key(of(base), k, jobstore_blob_name(which)), NULL));
}

/* Is the stream, or its group of workers, not there?  Then it is made. */
static int make_group(struct redis *r, const redisReply *reply)
{
        char jobs[KEY];

        if (!reply || reply->type != REDIS_REPLY_ERROR)
                return 0;
        return done(ask(r, "XGROUP", "CREATE", key(r, jobs, "jobs"), "w", "0", "MKSTREAM", NULL));
}

/* One command, so that it may be sent again after the connection was lost. */
static int redis_publish(struct jobstore *base, uint64_t id, const struct stream *body)
{
        static const char script[] = "if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 0 and "
                                     "redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 1 then "
                                     "redis.call('XADD', KEYS[2], '*', 'id', ARGV[1]) end return 1";
        struct redis *r = of(base);
        char bodies[KEY], jobs[KEY], results[KEY], text[32];

        return done(ask_blob(r, body, "EVAL", script, "3", key(r, bodies, "bodies"), key(r, jobs, "jobs"),
                             key(r, results, "results"), text_of(id, text), NULL));
}

/* XAUTOCLAIM does it, in take(). */
static int redis_expire(struct jobstore *base, double lease)
{
        (void)base, (void)lease;
        return 0;
}

static int redis_result(struct jobstore *base, uint64_t *id, struct stream *body)
{
        struct redis *r = of(base);
        char results[KEY];

        key(r, results, "results");
        if (!r->ids) {
                r->ids = ask(r, "HKEYS", results, NULL);
                r->at = 0;
        }
        if (!r->ids)
                return -1;
        while (r->ids->type == REDIS_REPLY_ARRAY && r->at < r->ids->elements) {
                const redisReply *name = r->ids->element[r->at++];
                int e = name->type == REDIS_REPLY_STRING ? take_blob(ask(r, "HGET", results, name->str, NULL), body)
                                                         : 0;

                *id = e > 0 ? strtoull(name->str, NULL, 16) : 0;
                if (e)
                        return e;
        }
        return 0;
}

static int redis_remove(struct jobstore *base, uint64_t id)
{
        static const char script[] = "for i = 1, 2 do redis.call('HDEL', KEYS[i], ARGV[1]) end return 1";
        char bodies[KEY], results[KEY], text[32];

        return done(ask(of(base), "EVAL", script, "2", key(of(base), bodies, "bodies"),
                        key(of(base), results, "results"), text_of(id, text), NULL));
}

static int redis_clear(struct jobstore *base)
{
        static const char *const keys[] = {"state", "head", "world", "bodies", "jobs", "results", "wake", "leader"};
        char k[KEY];
        int e = 0;

        for (size_t i = 0; i < sizeof keys / sizeof *keys && !e; i++)
                e = done(ask(of(base), "DEL", key(of(base), k, keys[i]), NULL));
        return e;
}

/* The entry of the stream and the id of a job, in one of the two forms of a reply.  false: there is none. */
static bool find_entry(struct redis *r, const redisReply *reply, uint64_t *id)
{
        const redisReply *e = reply;

        while (e && e->type == REDIS_REPLY_ARRAY && e->elements && e->element[0]->type == REDIS_REPLY_ARRAY)
                e = e->element[0];
        if (!e || e->type != REDIS_REPLY_ARRAY || e->elements < 2)
                return false;
        if (e->element[1]->type == REDIS_REPLY_ARRAY && e->element[1]->elements && /* of a stream: its name first */
            e->element[1]->element[0]->type == REDIS_REPLY_ARRAY)
                return find_entry(r, e->element[1], id);
        if (e->element[0]->type != REDIS_REPLY_STRING || e->element[1]->type != REDIS_REPLY_ARRAY ||
            e->element[1]->elements < 2 || e->element[1]->element[1]->type != REDIS_REPLY_STRING)
                return false;
        snprintf(r->entry, sizeof r->entry, "%s", e->element[0]->str);
        *id = strtoull(e->element[1]->element[1]->str, NULL, 16);
        return true;
}

static int drop_entry(struct redis *r)
{
        char jobs[KEY];

        key(r, jobs, "jobs");
        return done(ask(r, "XACK", jobs, "w", r->entry, NULL)) || done(ask(r, "XDEL", jobs, r->entry, NULL)) ? -1 : 0;
}

static int redis_take(struct jobstore *base, uint64_t *id, struct stream *body, double seconds)
{
        struct redis *r = of(base);
        char jobs[KEY], bodies[KEY], ms[32], most[32], text[32];
        redisReply *reply;
        bool found;
        int e;

        snprintf(most, sizeof most, "%d", (int)(seconds * 1000) + 1); /* 0 would be without end */
        snprintf(ms, sizeof ms, "%d", (int)((base->lease > 0 ? base->lease : 10) * 1000));
        reply = ask(r, "XREADGROUP", "GROUP", "w", jobstore_self(), "COUNT", "1", "BLOCK", most, "STREAMS",
                    key(r, jobs, "jobs"), ">", NULL);
        found = find_entry(r, reply, id);
        e = make_group(r, reply);
        if (done(reply) || e)
                return -1;
        if (!found) {
                reply = ask(r, "XAUTOCLAIM", jobs, "w", jobstore_self(), ms, "0", "COUNT", "1", NULL);
                found = reply && reply->type == REDIS_REPLY_ARRAY && reply->elements > 1 &&
                        find_entry(r, reply->element[1], id);
                if (done(reply))
                        return -1;
        }
        if (!found)
                return 0;
        e = take_blob(ask(r, "HGET", key(r, bodies, "bodies"), text_of(*id, text), NULL), body);
        return e ? e : drop_entry(r);
}

static int redis_renew(struct jobstore *base, uint64_t id)
{
        char jobs[KEY];

        (void)id;
        return done(ask(of(base), "XCLAIM", key(of(base), jobs, "jobs"), "w", jobstore_self(), "0", of(base)->entry,
                        "JUSTID", NULL));
}

static int redis_answer(struct jobstore *base, uint64_t id, const struct stream *body)
{
        static const char script[] =
                "redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) "
                "redis.call('XACK', KEYS[2], 'w', ARGV[2]) redis.call('XDEL', KEYS[2], ARGV[2]) "
                "if redis.call('EXISTS', KEYS[3]) == 0 then redis.call('RPUSH', KEYS[3], '') end return 1";
        struct redis *r = of(base);
        char results[KEY], jobs[KEY], wake[KEY], text[32];

        return done(ask_blob(r, body, "EVAL", script, "3", key(r, results, "results"), key(r, jobs, "jobs"),
                             key(r, wake, "wake"), text_of(id, text), r->entry, NULL));
}

static int redis_wait(struct jobstore *base, double seconds)
{
        char wake[KEY], most[32];

        snprintf(most, sizeof most, "%.3f", seconds > 0.001 ? seconds : 0.001); /* 0 would be without end */
        return done(ask(of(base), "BLPOP", key(of(base), wake, "wake"), most, NULL));
}

static int redis_tell(struct jobstore *base, const struct stream *body)
{
        char k[KEY], what[160], secs[16];

        snprintf(what, sizeof what, "worker:%s", jobstore_self());
        snprintf(secs, sizeof secs, "%d", WORKER_SECS);
        return done(ask_blob(of(base), body, "SETEX", key(of(base), k, what), secs, NULL));
}

static int redis_workers(struct jobstore *base, double seconds,
                         void (*f)(void *arg, const char *name, struct stream *body), void *arg)
{
        struct redis *r = of(base);
        struct stream body = STREAM_INIT;
        char pattern[KEY];
        redisReply *reply = ask(r, "KEYS", key(r, pattern, "worker:*"), NULL);

        (void)seconds;
        for (size_t i = 0; reply && reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++)
                if (reply->element[i]->type == REDIS_REPLY_STRING &&
                    take_blob(ask(r, "GET", reply->element[i]->str, NULL), &body) > 0)
                        f(arg, reply->element[i]->str + strlen(pattern) - 1, &body);
        stream_fini(&body);
        return done(reply);
}

static const struct jobstore_ops redis_ops = {
        .close = redis_close,
        .lead = redis_lead,
        .get = redis_get,
        .put = redis_put,
        .publish = redis_publish,
        .expire = redis_expire,
        .result = redis_result,
        .rewind = redis_rewind,
        .remove = redis_remove,
        .clear = redis_clear,
        .take = redis_take,
        .renew = redis_renew,
        .answer = redis_answer,
        .tell = redis_tell,
        .workers = redis_workers,
        .wait = redis_wait,
};

struct jobstore *redis_open(const char *url, struct error *why)
{
        struct redis *r = calloc(1, sizeof *r);

        if (!r || !redis_url_parse(&r->link.url, url)) {
                free(r);
                error_set(why, ERROR_USAGE,
                          "the address of the search is malformed: give redis://[USER:PASSWORD@]HOST[:PORT]/NAME");
                return NULL;
        }
        r->base.ops = &redis_ops;
        r->link.store = &r->base;
        if (!redis_link_open(&r->link))
                return &r->base;
        *why = r->base.why;
        free(r);
        return NULL;
}
