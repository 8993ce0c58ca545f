/*
 * The coordinator of a strategy that is several searches (struct plan_ops in strategy/share.h).
 *
 * Each search is a tree of its own in j->tree, and its tasks know whose they are.  A worker that has nothing to do gets what
 * is left of an open search, else begins another one, else waits for the others to split theirs.  A search that is held keeps
 * its tasks, put off, and its nodes; of one that is over everything is dropped.  The workers that explore it are called back.
 */
#include "parallel/coordinator_state.h"
#include "strategy/share.h"

#include "base/clock.h"

#define LOOK_EVERY 0.02 /* seconds */

static const struct plan_ops *plan_of(const struct coordinator *j)
{
        return j->strategy->ops->plan;
}

static bool is_open(const void *arg, uint32_t search)
{
        const struct coordinator *j = arg;

        return plan_of(j)->state(j->strategy, search) == PLAN_OPEN;
}

static bool take_over(void *arg, uint32_t search, const struct stream *state)
{
        struct coordinator *j = arg;

        stream_reset(&j->body);
        stream_put_u32(&j->body, TASK_STATE);
        stream_put_u32(&j->body, false);
        stream_put(&j->body, state->at, state->n);
        return coordinator_put_off(j, &j->body, &(struct jobtree_place){NULL, 0, search});
}

void searches_init(struct coordinator *j)
{
        if (!plan_of(j))
                return;
        j->tree.open = is_open;
        j->tree.arg = j;
}

bool searches_start(struct coordinator *j)
{
        return plan_of(j)->hand_over(j->strategy, take_over, j);
}

void searches_put_set(struct coordinator *j, uint32_t search)
{
        if (plan_of(j))
                plan_of(j)->put_set(j->strategy, search, &j->body);
}

bool searches_proven(const struct coordinator *j)
{
        return plan_of(j) && plan_of(j)->proven(j->strategy);
}

static bool is_busy_with(const struct job *job, uint32_t search)
{
        return job->busy && job->place.search == search;
}

/* Drops the tasks without a worker of searches that are over, and calls back the workers of searches that are not open any
 * more. */
static void tidy(struct coordinator *j)
{
        const struct plan_ops *plan = plan_of(j);

        for (uint32_t i = j->put_off.n; i-- > 0;) {
                struct put_off *p = &j->put_off.at[i];

                if (plan->state(j->strategy, p->place.search) != PLAN_OVER)
                        continue;
                jobtree_done(&j->tree, &p->place);
                stream_fini(&p->task);
                *p = j->put_off.at[--j->put_off.n];
        }
        for (uint32_t i = j->tree.waiting.n; i-- > 0;) {
                uint32_t search = i < j->tree.waiting.n ? jobtree_search(&j->tree, i) : 0;

                if (search && plan->state(j->strategy, search) == PLAN_OVER)
                        jobtree_drop(&j->tree, search);
        }
        for (uint32_t i = 0; i < j->n; i++) {
                struct job *job = &j->all[i];

                if (!job->busy || job->recalled || job->ended || is_open(j, job->place.search))
                        continue;
                job->recalled = true;
                message_put(&job->messages, MESSAGE_RECALL, j->generation, NULL);
                message_send(&job->messages);
                __atomic_store_n(&j->shared->figures[i].called, 1, __ATOMIC_SEQ_CST);
        }
}

/* How much of a search is done: all but the tasks that no worker has, and what the workers have left. */
static double share_of(const struct coordinator *j, uint32_t search)
{
        double left = jobtree_left(&j->tree, search);

        for (uint32_t i = 0; i < j->put_off.n; i++)
                if (j->put_off.at[i].place.search == search)
                        left += jobtree_weight(&j->put_off.at[i].place);
        for (uint32_t i = 0; i < j->n; i++) {
                uint32_t share = __atomic_load_n(&j->shared->figures[i].share, __ATOMIC_RELAXED);
                if (is_busy_with(&j->all[i], search))
                        left += jobtree_weight(&j->all[i].place) * (1 - (double)share / WORKER_PARTS);
        }
        return left < 1 ? 1 - left : 0;
}

/* Tells the plan what a worker has run since it was asked last. */
static void account(struct coordinator *j, struct job *job, bool judge)
{
        const struct jobs_figures *f = &j->shared->figures[job - j->all];
        uint64_t runs =
                __atomic_load_n(&f->executions, __ATOMIC_RELAXED) + __atomic_load_n(&f->blocked, __ATOMIC_RELAXED);
        double now = clock_now();

        j->strategy->now = now;
        plan_of(j)->spent(j->strategy, job->place.search, runs > job->before ? runs - job->before : 0, now - job->since,
                          judge ? share_of(j, job->place.search) : 0);
        job->before = runs;
        job->since = now;
}

/* A worker has left its task: was it the last one of the search? */
static void left(struct coordinator *j, uint32_t search)
{
        bool more = jobtree_holds(&j->tree, search);

        for (uint32_t i = 0; i < j->n && !more; i++)
                more = is_busy_with(&j->all[i], search);
        for (uint32_t i = 0; i < j->put_off.n && !more; i++)
                more = j->put_off.at[i].place.search == search;
        if (!more && plan_of(j)->state(j->strategy, search) != PLAN_OVER)
                plan_of(j)->done(j->strategy, search);
        tidy(j);
}

bool searches_pick(struct coordinator *j, struct jobtree_place *place, bool *failed)
{
        bool fresh;
        uint32_t search;

        if (!plan_of(j))
                return false;
        j->strategy->now = clock_now();
        search = plan_of(j)->pick(j->strategy, &fresh, failed);
        tidy(j);
        if (!search)
                return false;
        if (!fresh) /* it was held; some of it may wait for the first transition of a branch */
                return coordinator_take_up(j, place) || jobtree_give(&j->tree, &j->body, place);
        stream_put_u32(&j->body, TASK_ALL);
        *place = (struct jobtree_place){NULL, 0, search};
        return true;
}

int searches_news(struct coordinator *j, struct job *job)
{
        int e = plan_of(j) && job->busy ? plan_of(j)->hear(j->strategy, job->place.search, &j->body) : -1;

        if (!e)
                tidy(j);
        return e;
}

int searches_returned(struct coordinator *j, struct job *job)
{
        uint32_t search = job->place.search;

        if (!plan_of(j) || !job->busy || !job->recalled)
                return -1;
        account(j, job, false);
        job->busy = job->parked = job->recalled = false;
        if (plan_of(j)->state(j->strategy, search) == PLAN_OVER)
                jobtree_done(&j->tree, &job->place);
        else if (!coordinator_put_off(j, &j->body, &job->place))
                return -1;
        left(j, search);
        return 0;
}

void searches_done(struct coordinator *j, struct job *job)
{
        if (!plan_of(j))
                return;
        account(j, job, false);
        left(j, job->place.search);
}

void searches_look(struct coordinator *j)
{
        double now = clock_now();

        if (!plan_of(j) || now - j->planned < LOOK_EVERY)
                return;
        j->planned = now;
        for (uint32_t i = 0; i < j->n; i++)
                if (j->all[i].busy && !j->all[i].recalled)
                        account(j, &j->all[i], true);
        tidy(j);
}
