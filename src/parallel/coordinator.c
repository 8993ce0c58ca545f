/*
 * The coordinator of --jobs.  It starts workers (worker.c), keeps the part of the tree that no single one owns
 * (jobtree.c), hands out what is to be explored, and sleeps in between: a message comes for each subtree, not for each
 * execution.
 *
 * The workers' names for things must agree, so what one finds out about the program (memory that is shared, new threads)
 * ends the exploration of all, and it restarts; `generation` tells what was said before that.
 *
 * A worker that dies takes with it what it has found: the exploration fails (exit status 3), it is never called complete.
 */
#include "parallel/coordinator.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "parallel/coordinator_state.h"
#include "strategy/share.h"
#include "verdict/result_state.h"
#include "engine/checkpoint.h"
#include "program/preemption_points.h"
#include "engine/knowledge.h"

#define LOOK_MS 100

static void stop(struct coordinator *j)
{
        if (j->stopping)
                return;
        j->stopping = true;
        for (uint32_t i = 0; i < j->n; i++)
                if (!j->all[i].ended) {
                        message_put(&j->all[i].messages, MESSAGE_STOP, j->generation, NULL);
                        message_send(&j->all[i].messages);
                        __atomic_store_n(&j->shared->figures[i].called, 1, __ATOMIC_SEQ_CST);
                        kill(j->all[i].pid, SIGTERM); /* the execution under way need not end */
                }
}

static void fail(struct coordinator *j, int status, const char *why)
{
        if (j->status == RUN_OK) {
                j->status = error_set(j->s->why, status, "%s", why);
        }
        stop(j);
}

/* Starting. */

static bool start_one(struct coordinator *j, uint32_t i)
{
        int fds[2];
        pid_t parent = getpid(), pid;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
                return false;
        pid = fork();
        if (pid == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (getppid() != parent)
                        _exit(0);
                for (uint32_t k = 0; k < i; k++)
                        close(j->all[k].messages.fd);
                close(fds[0]);
                worker_main(j->s, j->strategy, j->shared, i, fds[1]);
        }
        close(fds[1]);
        if (pid < 0) {
                close(fds[0]);
                return false;
        }
        fcntl(fds[0], F_SETFL, O_NONBLOCK);
        j->all[i] = (struct job){.pid = pid, .messages = {.fd = fds[0]}};
        j->n++;
        return true;
}

static uint32_t explorers(const struct session *s)
{
        return s->config->jobs ? s->config->jobs : 1; /* one alone continues with what several left */
}

static bool start(struct coordinator *j)
{
        uint32_t n = explorers(j->s);
        bool ok = true;

        j->all = calloc(n, sizeof *j->all);
        j->shared = mmap(NULL, sizeof *j->shared + n * sizeof *j->shared->figures, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (!j->all || j->shared == MAP_FAILED)
                return false;
        j->shared->started =
                jobs_started(j->generation, j->s->result->stats.executions + j->s->result->stats.cut_depth);
        searches_init(j);
        if (j->s->progress.shared.n) {
                ok = coordinator_load(j, &j->s->progress.shared);
                stream_fini(&j->s->progress.shared);
        } else if (j->strategy->ops->plan) {
                ok = searches_start(j);
        } else if (j->strategy->ops->parts) {
                ok = coordinator_put_parts(j, explorers(j->s));
        } else {
                stream_put_u32(&j->body, TASK_STATE);
                stream_put_u32(&j->body, false);
                j->strategy->ops->persist->save(j->strategy, &j->body);
                ok = coordinator_put_off(j, &j->body, &(struct jobtree_place){NULL, 0, 0});
        }
        if (!ok) {
                fail(j, j->s->config->resume ? ERROR_USAGE : ERROR_FAIL,
                     j->s->config->resume ? "--resume: the checkpoint is damaged; start without --resume"
                                          : "out of memory");
                return true;
        }
        target_stop(&j->s->program.target);
        core_unpin(&j->s->program.target.core);
        fflush(NULL);
        for (uint32_t i = 0; i < n; i++)
                if (!start_one(j, i))
                        return false;
        return true;
}

/* Messages. */

/* The whole exploration, from its beginning. */
static bool put_all(struct coordinator *j)
{
        if (j->strategy->ops->plan)
                return true;
        if (j->strategy->ops->parts)
                return coordinator_put_parts(j, explorers(j->s));
        stream_reset(&j->body);
        stream_put_u32(&j->body, TASK_ALL);
        return coordinator_put_off(j, &j->body, &(struct jobtree_place){NULL, 0, 0});
}

static void begin_again(struct coordinator *j)
{
        struct session *s = j->s;

        for (uint32_t i = 0; i < j->n; i++)
                if (j->all[i].busy) {
                        jobtree_done(&j->tree, &j->all[i].place);
                        j->all[i].busy = j->all[i].parked = j->all[i].recalled = false;
                }
        coordinator_drop(j);
        jobtree_fini(&j->tree);
        j->saving = SAVE_NOT;
        j->generation++;
        __atomic_store_n(&j->shared->started, jobs_started(j->generation, 0), __ATOMIC_RELAXED);
        loop_begin_again(s, j->strategy);
        if (!put_all(j))
                fail(j, ERROR_FAIL, "out of memory");
        stream_reset(&j->body);
        knowledge_save(&s->program, &j->body);
        for (uint32_t i = 0; i < j->n; i++) {
                message_put(&j->all[i].messages, MESSAGE_WORLD, j->generation, &j->body);
                __atomic_store_n(&j->shared->figures[i].executions, 0, __ATOMIC_RELAXED);
                __atomic_store_n(&j->shared->figures[i].blocked, 0, __ATOMIC_RELAXED);
                __atomic_store_n(&j->shared->figures[i].unfair, 0, __ATOMIC_RELAXED);
                message_send(&j->all[i].messages);
                __atomic_store_n(&j->shared->figures[i].called, 1, __ATOMIC_SEQ_CST);
        }
}

/* A worker that was asked to stop is interrupted by us, and not by the user. */
static int merge_result(struct coordinator *j)
{
        struct stats *st = &j->s->result->stats;
        struct reasons *r = &st->reasons;
        bool complete = st->complete;
        bool interrupted = loop_interrupted || !j->stopping || reasons_has(r, REASON_INTERRUPTED);
        int e = result_merge(j->s->result, &j->body);

        if (!interrupted) {
                r->set &= ~REASON_BIT(REASON_INTERRUPTED);
                st->complete = complete && !r->set;
        }
        return e;
}

/* A worker that sends its result by itself has found what ends the exploration, or was interrupted.  One that is asked to
 * stop before it knows of a new beginning has nothing that counts. */
static void take_result(struct coordinator *j, struct job *job, bool current)
{
        job->ended = true;
        if (j->stopping && !current)
                return;
        if (merge_result(j) || !stream_done(&j->body))
                fail(j, ERROR_FAIL, "a worker's result is malformed, or out of memory");
        if (!j->stopping && loop_interrupted)
                j->why |= REASON_BIT(REASON_INTERRUPTED);
        else if (!j->stopping)
                j->s->progress.ended = true;
        stop(j);
}

static void take_failure(struct coordinator *j, struct job *job)
{
        bool usage = stream_get_max(&j->body, 1);
        char *why = stream_get_text(&j->body, 511);

        job->ended = true;
        fail(j, usage ? ERROR_USAGE : ERROR_FAIL, why ? why : "a worker failed");
        free(why);
}

static void take_news(struct coordinator *j, struct job *job, uint32_t kind)
{
        int e = 0;

        switch (kind) {
        case MESSAGE_DONE:
                jobtree_done(&j->tree, &job->place);
                job->busy = false;
                searches_done(j, job);
                break;
        case MESSAGE_NEWS: e = searches_news(j, job); break;
        case MESSAGE_RETURN: e = searches_returned(j, job); break;
        case MESSAGE_SPLIT: e = jobtree_split(&j->tree, &job->place, &j->body); break;
        case MESSAGE_FIRST: e = jobtree_first(&j->tree, &job->place, &j->body); break;
        case MESSAGE_RACE: e = jobtree_race(&j->tree, &job->place, &j->body); break;
        case MESSAGE_GREW:
                if (knowledge_merge(&j->s->run, &j->body))
                        fail(j, ERROR_FAIL, "the program shares too much memory, or has too many threads");
                else
                        begin_again(j);
                break;
        case MESSAGE_LEADS_BACK:
                j->s->result->stats.leads_back = true;
                stats_incomplete(&j->s->result->stats, REASON_TOGGLES, NULL);
                stop(j);
                break;
        case MESSAGE_LIMIT: job->parked = true; break;
        case MESSAGE_STATE:
                e = coordinator_take_state(j, job);
                if (!e && j->saving == SAVE_WRITTEN_LAST)
                        stop(j);
                break;
        default: e = -1;
        }
        if (e == -E2BIG)
                fail(j, points_too_many(&j->s->program), j->s->why->text);
        else if (e)
                fail(j, ERROR_FAIL, "a worker's message is malformed, or out of memory");
}

static void take_message(struct coordinator *j, struct job *job)
{
        struct message_head head;
        int gone = message_receive(&job->messages, false), r;

        while (!job->ended && (r = message_take(&job->messages, &head, &j->body)) != 0) {
                if (r < 0)
                        break;
                if (head.kind == MESSAGE_FAILED)
                        take_failure(j, job);
                else if (head.kind == MESSAGE_RESULT)
                        take_result(j, job, head.generation == j->generation);
                else if (head.generation != j->generation)
                        continue;
                else if (!j->stopping)
                        take_news(j, job, head.kind);
        }
        if (gone && !job->ended) {
                job->ended = true;
                fail(j, ERROR_FAIL, "a worker process ended unexpectedly");
        }
}

/* Handing out. */

/* No worker runs.  An execution that was begun at the limit, and turned out to be redundant, may have left room for another. */
static bool go_on(struct coordinator *j)
{
        if (jobs_started_count(__atomic_load_n(&j->shared->started, __ATOMIC_RELAXED)) >= j->s->config->executions)
                return false;
        for (uint32_t i = 0; i < j->n; i++)
                if (j->all[i].parked) {
                        message_put(&j->all[i].messages, MESSAGE_GO, j->generation, NULL);
                        message_send(&j->all[i].messages);
                        j->all[i].parked = false;
                        return true;
                }
        return false;
}

/* A limit is reached: what is left is stored before the workers end. */
static void finish(struct coordinator *j, enum reason why)
{
        j->why |= REASON_BIT(why);
        if (!j->s->config->save) {
                stop(j);
                return;
        }
        coordinator_save(j, true);
        for (uint32_t i = 0; i < j->n; i++)
                if (!j->all[i].ended)
                        kill(j->all[i].pid, SIGTERM); /* the execution under way need not end */
}

/* Something to do for a worker, into j->body. */
static bool find_task(struct coordinator *j, struct job *job)
{
        bool failed = false, found;

        found = coordinator_take_up(j, &job->place) || jobtree_give(&j->tree, &j->body, &job->place) ||
                searches_pick(j, &job->place, &failed);
        if (failed)
                fail(j, ERROR_FAIL, "out of memory");
        if (found)
                searches_put_set(j, job->place.search);
        job->before = __atomic_load_n(&j->shared->figures[job - j->all].executions, __ATOMIC_RELAXED) +
                      __atomic_load_n(&j->shared->figures[job - j->all].blocked, __ATOMIC_RELAXED);
        job->since = clock_now();
        job->recalled = false;
        return found;
}

/* Nothing is left, unless it restarts with more rounds of loops. */
static void all_done(struct coordinator *j, bool covered)
{
        if (coordinator_more_rounds(j)) {
                begin_again(j);
                return;
        }
        j->s->progress.ended = true;
        j->s->progress.covered |= covered;
        stop(j);
}

static void hand_out(struct coordinator *j)
{
        uint32_t hungry = 0, busy = 0, parked = 0;

        if (searches_proven(j)) {
                all_done(j, false);
                return;
        }
        for (uint32_t i = 0; i < j->n; i++) {
                struct job *job = &j->all[i];

                if (!job->busy) {
                        stream_reset(&j->body);
                        if (!find_task(j, job)) {
                                hungry++;
                                continue;
                        }
                        message_put(&job->messages, MESSAGE_TASK, j->generation, &j->body);
                        if (message_send(&job->messages))
                                continue; /* it is gone: its end is noticed by reading */
                        job->busy = true;
                }
                busy += !job->parked;
                parked += job->parked;
        }
        __atomic_store_n(&j->shared->hungry, jobtree_has(&j->tree) ? 0 : hungry, __ATOMIC_RELAXED);
        if (busy || go_on(j))
                return;
        if (parked) {
                finish(j, REASON_EXECUTIONS);
        } else if (j->strategy->ops->plan) {
                fail(j, ERROR_FAIL, "internal: a search was lost");
        } else {
                all_done(j, true);
        }
}

/* How much is explored: all but the tasks that no worker has, and what the workers have left. */
static double explored(const struct coordinator *j)
{
        double left = jobtree_left(&j->tree, 0);

        if (j->strategy->ops->plan)
                return 0; /* of which search? */

        for (uint32_t i = 0; i < j->put_off.n; i++)
                left += jobtree_weight(&j->put_off.at[i].place);
        for (uint32_t i = 0; i < j->n; i++) {
                uint32_t share = __atomic_load_n(&j->shared->figures[i].share, __ATOMIC_RELAXED);
                if (j->all[i].busy)
                        left += jobtree_weight(&j->all[i].place) * (1 - (double)share / WORKER_PARTS);
        }
        return left < 1 ? 1 - left : 0;
}

static void look(struct coordinator *j, loop_progress progress, void *arg)
{
        struct session *s = j->s;
        struct stats sum = s->result->stats;
        double now = clock_now();

        if (!j->stopping && j->saving != SAVE_LAST)
                s->progress.explored = explored(j);
        if (j->stopping || j->saving == SAVE_LAST)
                ;
        else if (loop_interrupted)
                finish(j, REASON_INTERRUPTED);
        else if (s->config->seconds > 0 && now - s->progress.started >= s->config->seconds)
                finish(j, REASON_TIME);
        else if (j->saving == SAVE_NOT && checkpoint_due(s, now))
                coordinator_save(j, false);
        else if (j->saving == SAVE_NOT)
                searches_look(j);
        if (!progress || now - s->progress.ticked < 0.1)
                return;
        s->progress.ticked = now;
        for (uint32_t i = 0; i < j->n; i++) {
                sum.executions += __atomic_load_n(&j->shared->figures[i].executions, __ATOMIC_RELAXED);
                sum.blocked += __atomic_load_n(&j->shared->figures[i].blocked, __ATOMIC_RELAXED);
        }
        sum.seconds = progress_seconds(&s->progress);
        stats_expect(&sum, s->progress.explored);
        s->result->stats.settling = sum.settling;
        progress(arg, &sum);
}

static void wait_for_messages(struct coordinator *j)
{
        struct pollfd fds[j->n];

        for (uint32_t i = 0; i < j->n; i++)
                fds[i] = (struct pollfd){
                        .fd = j->all[i].ended ? -1 : j->all[i].messages.fd,
                        .events = (short)(POLLIN | (j->all[i].messages.out.n ? POLLOUT : 0)),
                };
        if (poll(fds, j->n, LOOK_MS) <= 0)
                return;
        for (uint32_t i = 0; i < j->n; i++) {
                if (fds[i].revents & POLLOUT)
                        message_send(&j->all[i].messages);
                if (fds[i].revents & (POLLIN | POLLHUP | POLLERR))
                        take_message(j, &j->all[i]);
        }
}

static bool all_ended(const struct coordinator *j)
{
        for (uint32_t i = 0; i < j->n; i++)
                if (!j->all[i].ended)
                        return false;
        return true;
}

static void fini(struct coordinator *j)
{
        for (uint32_t i = 0; i < j->n; i++) {
                if (!j->all[i].ended)
                        kill(j->all[i].pid, SIGKILL);
                while (waitpid(j->all[i].pid, NULL, 0) < 0 && errno == EINTR)
                        ;
                if (j->all[i].busy)
                        jobtree_done(&j->tree, &j->all[i].place);
                message_fini(&j->all[i].messages);
                stream_fini(&j->all[i].state);
        }
        coordinator_drop(j);
        jobtree_fini(&j->tree);
        if (j->shared && j->shared != MAP_FAILED)
                munmap(j->shared, sizeof *j->shared + explorers(j->s) * sizeof *j->shared->figures);
        stream_fini(&j->body);
        free(j->all);
}

int coordinator_explore(struct session *s, struct strategy *strategy, uint64_t *why, loop_progress progress, void *arg)
{
        struct coordinator j = {.s = s, .strategy = strategy};

        if (!start(&j))
                fail(&j, ERROR_FAIL, "cannot start workers: out of memory or processes");
        while (!all_ended(&j)) {
                if (!j.stopping && j.saving == SAVE_NOT)
                        hand_out(&j);
                look(&j, progress, arg);
                wait_for_messages(&j);
        }
        *why = j.why;
        fini(&j);
        return j.status;
}
