/*
 * A worker: an explorer with a target of its own, on a core of its own.
 *
 * Between two messages it is the loop of a lone explorer.  What differs: there is an upper part of its path that is not
 * its own (jobtree.h), memory that turns out to be shared ends the exploration of all workers, and another worker may need a
 * task. Beyond that it looks at two words of shared memory in each round.
 */
#include "parallel/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "engine/loop.h"
#include "engine/knowledge.h"
#include "parallel/jobtree.h"
#include "parallel/message.h"
#include "strategy/share.h"
#include "verdict/result_state.h"

#define SHARE_EVERY 16   /* executions */
#define GIVE_SHARE  0.01 /* of --alone: between two gifts */

struct worker {
        struct session *s;
        struct strategy *strategy;
        const struct share_ops *share;
        struct jobs_shared *shared;
        struct jobs_figures *figures;
        struct messages messages;
        struct stream body; /* scratch */
        uint32_t generation;
        bool busy;
        bool parked;  /* at the limit of --executions, with a task under way */
        bool frozen;  /* until MESSAGE_SAVED */
        bool first;   /* the task's first transition is still to be sent */
        double split; /* when something was given away last */
};

static _Noreturn void end(struct worker *w)
{
        target_stop(&w->s->program.target);
        _exit(0); /* nothing of the coordinator's is ours to tidy up */
}

/* A coordinator that is gone needs no more. */
static void send_message(struct worker *w, uint32_t kind, const struct stream *body)
{
        message_put(&w->messages, kind, w->generation, body);
        if (message_send(&w->messages))
                end(w);
}

static void put_result(struct worker *w, struct stream *out)
{
        progress_take_predictions(w->strategy, &w->s->result->stats);
        result_save(w->s->result, out);
}

static _Noreturn void send_result(struct worker *w)
{
        stream_reset(&w->body);
        put_result(w, &w->body);
        send_message(w, MESSAGE_RESULT, &w->body);
        end(w);
}

static _Noreturn void send_failure(struct worker *w, int status)
{
        stream_reset(&w->body);
        stream_put_u32(&w->body, status == ERROR_USAGE);
        stream_put_text(&w->body, w->s->why->text);
        send_message(w, MESSAGE_FAILED, &w->body);
        end(w);
}

static _Noreturn void fail(struct worker *w, const char *why)
{
        error_set(w->s->why, ERROR_FAIL, "%s", why);
        send_failure(w, ERROR_FAIL);
}

static void forget(struct worker *w)
{
        loop_forget(w->s, w->strategy);
        w->busy = w->parked = w->frozen = w->first = false;
}

/* What is left of the task. */
static void put_task(struct worker *w, struct stream *out)
{
        stream_put_u32(out, TASK_STATE);
        stream_put_u32(out, w->first);
        w->strategy->ops->persist->save(w->strategy, out);
}

static void give_back(struct worker *w)
{
        if (!w->busy && !w->parked)
                return; /* it was done before it was called for */
        stream_reset(&w->body);
        put_task(w, &w->body);
        if (w->body.failed)
                fail(w, "out of memory");
        w->busy = w->parked = w->first = false;
        send_message(w, MESSAGE_RETURN, &w->body);
}

/* Where the worker is, and what it has found. */
static void send_state(struct worker *w)
{
        struct stream part = STREAM_INIT;

        stream_reset(&w->body);
        put_result(w, &part);
        stream_put_array(&w->body, part.at, (uint32_t)part.n, 1);
        stream_reset(&part);
        if (w->busy || w->parked)
                put_task(w, &part);
        stream_put_array(&w->body, part.at, (uint32_t)part.n, 1);
        w->body.failed |= part.failed || part.n > UINT32_MAX;
        stream_fini(&part);
        if (w->body.failed)
                fail(w, "out of memory");
        w->frozen = true;
        send_message(w, MESSAGE_STATE, &w->body);
}

static void take_task(struct worker *w, struct stream *in)
{
        uint32_t kind = stream_get_max(in, TASK_BRANCH);
        bool first = kind == TASK_STATE ? stream_get_max(in, 1) : kind == TASK_BRANCH;
        int e = 0;

        if (kind == TASK_ALL && w->share->begin)
                w->share->begin(w->strategy);
        else if (kind == TASK_ALL)
                w->strategy->ops->reset(w->strategy);
        else if (kind == TASK_STATE)
                e = w->strategy->ops->persist->load(w->strategy, in);
        else
                e = w->share->adopt(w->strategy, in);
        if (!e && w->share->take_set)
                e = w->share->take_set(w->strategy, in);
        if (e || !stream_done(in))
                fail(w, "a task is malformed, or out of memory");
        w->busy = true;
        __atomic_store_n(&w->figures->share, 0, __ATOMIC_RELAXED);
        w->parked = false;
        w->first = first;
        w->split = clock_now();
}

static void take_message(struct worker *w, const struct message_head *head)
{
        switch (head->kind) {
        case MESSAGE_TASK: take_task(w, &w->body); break;
        case MESSAGE_GO:
                w->busy = true;
                w->parked = false;
                break;
        case MESSAGE_SAVE: send_state(w); break;
        case MESSAGE_RECALL: give_back(w); break;
        case MESSAGE_SAVED: w->frozen = false; break;
        case MESSAGE_WORLD:
                w->generation = head->generation;
                if (knowledge_load(&w->s->run, &w->body))
                        fail(w, "the description of the program is malformed");
                forget(w);
                break;
        default: send_result(w);
        }
}

/* Starts the program while there is no task yet.  An error is reported when the program has to run. */
static void start_early(struct worker *w)
{
        struct target *t = &w->s->program.target;

        if (!t->spawn.aslr && target_start(t) != TARGET_OK)
                target_stop(t);
}

/* Nothing to do, or not before there is a message: what an interrupted exploration has left is stored first. */
static bool idle(const struct worker *w)
{
        return !w->busy || w->frozen || (loop_interrupted && w->s->config->save);
}

/* Waits for something to do; with something to do, checks whether there are messages.  The call for a message that was read
 * already may come after it, so there may be none. */
static void read_messages(struct worker *w)
{
        struct message_head head;
        bool wait = idle(w);
        int r;

        __atomic_store_n(&w->figures->called, 0, __ATOMIC_SEQ_CST);
        do {
                if (message_receive(&w->messages, wait))
                        end(w);
                while ((r = message_take(&w->messages, &head, &w->body)) > 0)
                        take_message(w, &head);
                if (r < 0)
                        end(w);
                wait = true; /* for the rest of a message */
        } while (w->messages.in.pos < w->messages.in.n);
}

static void give(struct worker *w)
{
        double now = clock_now();

        if (now - w->split < w->s->config->alone_seconds * GIVE_SHARE)
                return;
        w->split = now;
        stream_reset(&w->body);
        if (w->share->split(w->strategy, &w->body))
                send_message(w, MESSAGE_SPLIT, &w->body);
}

/* What the execution showed that concerns others. */
static void send_races(struct worker *w)
{
        struct stream *races = w->share->races(w->strategy);
        struct stream *news = w->share->news ? w->share->news(w->strategy) : NULL;

        if (races && races->n) {
                send_message(w, MESSAGE_RACE, races);
                stream_reset(races);
        }
        if (news && news->n) {
                send_message(w, MESSAGE_NEWS, news);
                stream_reset(news);
        }
        if (w->first) {
                w->first = false;
                stream_reset(&w->body);
                w->share->first(w->strategy, &w->body);
                send_message(w, MESSAGE_FIRST, &w->body);
        }
}

/* Counts one execution more or less among those of all workers.  false: the limit is reached.  One of a generation that is over does not
 * count. */
static bool count_started(struct worker *w, bool more)
{
        uint64_t limit = w->s->config->executions, n = __atomic_load_n(&w->shared->started, __ATOMIC_RELAXED);

        while (n - jobs_started_count(n) == jobs_started(w->generation, 0)) {
                if (more && jobs_started_count(n) >= limit)
                        return false;
                if (__atomic_compare_exchange_n(&w->shared->started, &n, more ? n + 1 : n - 1, false, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED))
                        break;
        }
        return true;
}

/* May another execution begin?  Those that turn out to be redundant do not count. */
static bool within_limit(struct worker *w)
{
        return !w->s->config->executions || count_started(w, true);
}

static struct estimate_level own_level(const void *arg, uint32_t i)
{
        const struct worker *w = arg;

        return w->strategy->ops->tree->level(w->strategy, w->share->own(w->strategy) + i);
}

/* How much of the own subtree is done: now and then, since it takes a look at every node of the path. */
static void send_share(struct worker *w)
{
        const struct estimate none = {0};
        uint32_t branch, n = strategy_path(w->strategy, &branch), own = w->share->own(w->strategy);
        double share = n > own ? estimate_guess(&none, n - own, own_level, w).share : 0;

        __atomic_store_n(&w->figures->share, (uint32_t)(share * WORKER_PARTS), __ATOMIC_RELAXED);
}

static void step(struct worker *w)
{
        const struct stats *st = &w->s->result->stats;
        uint64_t before = st->executions + st->cut_depth;
        int e = loop_step(w->s, w->strategy);

        if (e < 0)
                send_failure(w, e);
        if (e == LOOP_ENDED || (loop_interrupted && !w->s->config->save))
                send_result(w);
        if (e == LOOP_GREW && program_has_cycles(&w->s->program)) {
                send_message(w, MESSAGE_LEADS_BACK, NULL);
                forget(w);
                return;
        }
        if (e == LOOP_GREW) {
                stream_reset(&w->body);
                knowledge_save(&w->s->program, &w->body);
                send_message(w, MESSAGE_GREW, &w->body);
                forget(w);
                return;
        }
        if (w->s->config->executions && st->executions + st->cut_depth == before)
                count_started(w, false);
        if (e == LOOP_AGAIN)
                return;
        __atomic_store_n(&w->figures->executions, st->executions, __ATOMIC_RELAXED);
        __atomic_store_n(&w->figures->blocked, st->blocked, __ATOMIC_RELAXED);
        __atomic_store_n(&w->figures->rounds, st->rounds, __ATOMIC_RELAXED);
        __atomic_store_n(&w->figures->unfair, reasons_has(&st->reasons, REASON_FAIR), __ATOMIC_RELAXED);
        if (st->executions % SHARE_EVERY == 0)
                send_share(w);
        send_races(w);
}

static void next(struct worker *w)
{
        int more = strategy_next(w->strategy, &w->s->run.schedule, clock_now());

        if (more < 0)
                fail(w, "out of memory");
        if (more && within_limit(w)) {
                step(w);
                return;
        }
        send_message(w, more ? MESSAGE_LIMIT : MESSAGE_DONE, NULL);
        w->busy = false;
        w->parked = more;
}

static void on_signal(int number)
{
        (void)number;
        loop_interrupted = 1;
}

static void begin(struct worker *w, uint32_t index)
{
        struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

        sigaction(SIGINT, &act, NULL);
        sigaction(SIGTERM, &act, NULL);
        sigaction(SIGHUP, &act, NULL);
        core_choose(&w->s->program.target.core, index, w->s->config->jobs);
        if (target_renew(&w->s->program.target) != TARGET_OK)
                fail(w, w->s->program.target.why.text);
        run_attach(&w->s->run);
        w->s->run.names_matter = true;
        judge_reset(&w->s->judge, false); /* they are the coordinator's */
        forget(w);
        start_early(w);
}

_Noreturn void worker_main(struct session *s, struct strategy *strategy, struct jobs_shared *shared, uint32_t index,
                           int fd)
{
        struct strategy *own = strategy->ops->plan ? strategy->ops->plan->explorer() : strategy;
        struct worker w = {
                .s = s,
                .strategy = own,
                .share = own ? own->ops->share : NULL,
                .shared = shared,
                .figures = &shared->figures[index],
                .messages = {.fd = fd},
        };

        if (!own)
                fail(&w, "out of memory");
        begin(&w, index);
        for (;;) {
                if (idle(&w) || __atomic_load_n(&w.figures->called, __ATOMIC_RELAXED))
                        read_messages(&w);
                else if (__atomic_load_n(&shared->hungry, __ATOMIC_RELAXED))
                        give(&w);
                if (!idle(&w))
                        next(&w);
        }
}
