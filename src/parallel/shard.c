/*
 * A static split of the search tree: every shard makes the same plan and explores its part of it.
 *
 * The plan.  A lone explorer runs a few executions here and there, always where most is left, and makes the upper nodes of
 * its path common (jobtree.h), until there are many parts (tasks) of which none is large.  Sizes are Knuth's estimate.  It
 * reads no clock and draws nothing, so all shards come to the same tasks.  They are dealt out by size, largest first, each
 * to the shard that has least.  The executions of the plan count in the first shard.
 *
 * The parts.  Tasks of the plan are disjoint: those before a branch sleep in it, whichever shard explores them
 * (optimal_share.c).  A race that calls for a branch of a common node which the plan does not have is not sent: the shard that
 * has seen it explores that branch itself.  The plan adds branches before races call for them (share.h, seed), so this is rare.
 * No branch is missed: of the executions that all shards run together, each has
 * been checked for races by the shard that ran it, and what it calls for has been run by that shard, is in the plan, or is
 * covered by what is.  But several shards may see the need for a branch.  Such branches come after all of the plan, so what is
 * run in them differs from what the plan's tasks run; only they can repeat each other, and their executions are kept by the
 * hash of their Mazurkiewicz trace: `heddle merge` counts each once.
 *
 * What a shard finds out about the program (shared memory, threads) changes the tree.  It restarts then, with a new plan;
 * `heddle merge` calls a result complete only if all shards knew the same in the end.
 */
#include "parallel/shard.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "engine/identity.h"
#include "engine/knowledge.h"
#include "parallel/jobtree.h"
#include "parallel/shard_classes.h"
#include "parallel/shard_deal.h"
#include "parallel/shard_parts.h"
#include "strategy/share.h"

#define QUANTUM 4u /* executions of a visit while planning */
#define COST \
        1.0 /* all plans together, as a share of what seems to be the whole (which is more): then more of the plan costs too much */
#define TASKS 20u /* for each shard, at most */

struct shard_task {
        struct stream
                state; /* a TASK_STATE without its kind: is the first transition to be sent? then the strategy's */
        struct jobtree_place place;
        double size; /* how large it is beside the others, as far as that can be guessed */
        double runs; /* executions that are left, likewise */
        bool clean;  /* to split it costs no redundant executions */
};

struct shard {
        struct session *s;
        struct strategy *strategy;
        const struct share_ops *share;
        struct jobtree tree;
        VEC(struct shard_task) tasks;    /* all, then those of this shard */
        VEC(struct jobtree_place) other; /* places of the others' tasks */
        struct jobtree_place place;      /* of the task under way */
        bool first;                      /* its first transition is still to be sent */
        bool extra;                      /* it is not in the plan */
        uint64_t planned;
        struct stream body;        /* scratch */
        struct shard_classes seen; /* in what is not in the plan */
        struct classes hashes;
        loop_progress progress;
        void *arg;
};

enum visit { VISIT_DONE, VISIT_LEFT, VISIT_GREW, VISIT_OVER };

static int no_memory(struct shard *x)
{
        return error_memory(x->s->why);
}

/* Remembers an execution that the plan does not have. */
static bool note_class(struct shard *x, bool assumed)
{
        struct result_shown shown = {x->s->result->last_outcome, x->s->judge.shown, assumed};
        struct result_shard *r = &x->s->result->shard;
        uint64_t hash;
        bool full = shard_classes_full(&x->seen);

        r->extra++;
        r->full |= full;
        return full || (classes_hash(&x->hashes, &x->s->run.trace, &hash) && shard_classes_add(&x->seen, hash, &shown));
}

/* What the execution showed that concerns common nodes. */
static bool hear(struct shard *x)
{
        struct stream *races = x->share->races(x->strategy);
        int e = 0;

        if (races && races->n) {
                e = jobtree_race(&x->tree, &x->place, races);
                stream_reset(races);
        }
        if (!e && x->first) {
                x->first = false;
                stream_reset(&x->body);
                x->share->first(x->strategy, &x->body);
                e = jobtree_first(&x->tree, &x->place, &x->body);
        }
        return !e;
}

/* One execution.  enum visit (VISIT_LEFT: it was run), or below 0. */
static int step(struct shard *x)
{
        struct stats *st = &x->s->result->stats;
        uint64_t executions = st->executions, assumed = st->cut_assume;
        int e = loop_step(x->s, x->strategy);

        if (e < 0)
                return e;
        if (e == LOOP_GREW)
                return VISIT_GREW;
        x->s->progress.ended = e == LOOP_ENDED;
        if (e == LOOP_AGAIN)
                return VISIT_LEFT;
        if (x->extra && (st->executions > executions || st->cut_assume > assumed) &&
            !note_class(x, st->cut_assume > assumed))
                return no_memory(x);
        if (e == LOOP_ENDED)
                return VISIT_OVER;
        shard_tick(x->s, x->progress, x->arg);
        return hear(x) ? VISIT_LEFT : no_memory(x);
}

/* At most n executions of the task under way; *runs counts them. */
static int visit(struct shard *x, uint64_t n, uint64_t *runs)
{
        struct progress *p = &x->s->progress;
        int e = VISIT_LEFT;

        for (*runs = 0; *runs < n && e == VISIT_LEFT; ++*runs) {
                p->reached = progress_limits(p, x->s->config, &x->s->result->stats);
                if (p->reached)
                        return VISIT_OVER;
                e = strategy_next(x->strategy, &x->s->run.schedule, clock_now());
                if (e < 0)
                        return no_memory(x);
                if (!e)
                        return VISIT_DONE;
                if (x->s->result->shard.in_plan)
                        x->s->run.schedule.flags |= WIRE_WANT_ENABLED;
                e = step(x);
        }
        return e;
}

/* Tasks. */

static struct estimate_level own_level(const void *arg, uint32_t i)
{
        const struct shard *x = arg;

        return x->strategy->ops->tree->level(x->strategy, x->share->own(x->strategy) + i);
}

/* How much of the own subtree is done. */
static double share_done(const struct shard *x)
{
        uint32_t branch, n = strategy_path(x->strategy, &branch), own = x->share->own(x->strategy);

        return n > own ? estimate_share(n - own, own_level, x) : 0;
}

static bool put_task(struct shard *x, double size, double runs)
{
        struct shard_task *t;

        if (!vec_reserve(&x->tasks, 1))
                return false;
        t = vec_push(&x->tasks);
        *t = (struct shard_task){.place = x->place,
                                 .size = size,
                                 .runs = runs,
                                 .clean = !x->share->clean || x->share->clean(x->strategy)};
        stream_put_u32(&t->state, x->first);
        x->strategy->ops->persist->save(x->strategy, &t->state);
        return !t->state.failed;
}

/* Task i becomes the one under way. */
static bool take_task(struct shard *x, uint32_t i)
{
        struct shard_task t = x->tasks.at[i];
        bool ok;

        x->tasks.at[i] = x->tasks.at[--x->tasks.n];
        x->place = t.place;
        t.state.pos = 0;
        x->first = stream_get_max(&t.state, 1);
        ok = !x->strategy->ops->persist->load(x->strategy, &t.state) && stream_done(&t.state);
        stream_fini(&t.state);
        return ok;
}

/* The next branch of a common node.  1: it is under way, 0: there is none, below 0: no memory. */
static int take_branch(struct shard *x)
{
        stream_reset(&x->body);
        if (!jobtree_give(&x->tree, &x->body, &x->place))
                return 0;
        stream_get_u32(&x->body); /* TASK_BRANCH */
        x->first = true;
        return x->share->adopt(x->strategy, &x->body) || !stream_done(&x->body) ? no_memory(x) : 1;
}

/* The tree is not needed any more. */
static void clear_tree(struct shard *x)
{
        while (x->tasks.n) {
                struct shard_task *t = &x->tasks.at[--x->tasks.n];
                jobtree_done(&x->tree, &t->place);
                stream_fini(&t->state);
        }
        while (x->other.n)
                jobtree_done(&x->tree, &x->other.at[--x->other.n]);
        jobtree_fini(&x->tree);
}

/* The exploration restarts. */
static void forget(struct shard *x)
{
        clear_tree(x);
        shard_classes_reset(&x->seen);
        x->planned = 0;
        x->s->result->shard.full = false;
        x->s->result->shard.extra = 0;
        loop_begin_again(x->s, x->strategy);
}

/* Planning. */

/* How large the task under way is beside others.  Few runs say little of how many are left, since races call for more: the part of the
 * tree that lies here, if all branches of a node are of one size, counts more, and each actor that sleeps leaves half of it. */
static double size_of(const struct shard *x, double runs)
{
        double place = jobtree_weight(&x->place);

        int asleep = x->share->asleep ? (int)x->share->asleep(x->strategy) : 0;

        return ldexp(sqrt(sqrt(runs * place * place * place)), -asleep); /* square roots are the same on all machines */
}

/* A few executions of the task under way; it is split if `split`, and put back with its size. */
static int plan_visit(struct shard *x, bool split)
{
        double before = share_done(x), after;
        uint64_t runs;
        int e = visit(x, QUANTUM, &runs);

        x->planned += runs;
        if (e != VISIT_LEFT) {
                jobtree_done(&x->tree, &x->place);
                return e;
        }
        after = share_done(x);
        after = after > 0 ? after : 1e-9;
        stream_reset(&x->body);
        if (split && x->share->seed && !x->share->seed(x->strategy, &x->s->run.trace))
                return no_memory(x);
        if (split && x->share->split(x->strategy, &x->body) && jobtree_split(&x->tree, &x->place, &x->body))
                return no_memory(x);
        before = after > before ? after - before : after;
        before = (double)runs / before * (1 - after);
        return put_task(x, size_of(x, before), before) ? VISIT_LEFT : no_memory(x);
}

/* All branches that are known become tasks. */
static int plan_branches(struct shard *x)
{
        int e;

        while ((e = take_branch(x)) > 0) {
                e = plan_visit(x, false);
                if (e < 0 || e == VISIT_GREW || e == VISIT_OVER)
                        return e;
        }
        return e < 0 ? e : VISIT_LEFT;
}

/* The task to be split next, UINT32_MAX: none.  *sum: what seems to be left.  Once there are redundant executions, a split that may
 * cost more of them is made only where a task is too much for one shard. */
static uint32_t largest(const struct shard *x, double *sum)
{
        bool any = !x->s->result->stats.blocked;
        uint32_t best = UINT32_MAX;
        double all = 0;

        *sum = 0;
        for (uint32_t i = 0; i < x->tasks.n; i++) {
                *sum += x->tasks.at[i].runs;
                all += x->tasks.at[i].size;
        }
        for (uint32_t i = 0; i < x->tasks.n; i++) {
                const struct shard_task *t = &x->tasks.at[i];

                if ((any || t->clean || t->size > all / x->s->config->shards) &&
                    (best == UINT32_MAX || t->size > x->tasks.at[best].size))
                        best = i;
        }
        return best;
}

/* Is the plan good enough, or would more of it cost too much?  What races call for is not known yet, so estimates are low. */
static bool planned(const struct shard *x, double left)
{
        double shards = x->s->config->shards, runs = (double)x->planned;

        return runs >= x->s->config->plan * shards &&
               (runs * shards >= COST * (left + runs) || x->tasks.n >= TASKS * shards);
}

/* enum visit, or below 0; VISIT_DONE: nothing is left to be dealt out. */
static int make_plan(struct shard *x)
{
        double left;
        uint32_t best;
        int e;

        x->strategy->ops->reset(x->strategy);
        x->place = (struct jobtree_place){NULL, 0, 0};
        x->first = x->extra = false;
        e = plan_visit(x, true);
        while (e == VISIT_LEFT || e == VISIT_DONE) {
                e = plan_branches(x);
                if (e != VISIT_LEFT)
                        return e;
                if (!x->tasks.n)
                        return VISIT_DONE;
                best = largest(x, &left);
                if (best == UINT32_MAX || planned(x, left))
                        return VISIT_LEFT;
                if (!take_task(x, best))
                        return no_memory(x);
                e = plan_visit(x, true);
        }
        return e;
}

/* Deals out the tasks: those of this shard stay. */
static bool deal(struct shard *x)
{
        struct result_shard *r = &x->s->result->shard;
        struct shard_part *parts = calloc(x->tasks.n + 1, sizeof *parts);
        uint32_t own = 0;
        bool ok = parts && vec_reserve(&x->other, x->tasks.n + 1);

        r->tasks = x->tasks.n;
        for (uint32_t i = 0; ok && i < r->tasks; i++)
                parts[i] = (struct shard_part){.index = i, .size = x->tasks.at[i].size};
        ok = ok && shard_deal(parts, r->tasks, x->s->config->shards, &r->plan);
        r->plan = hash_mix(hash_mix(x->planned, r->tasks), r->plan);
        for (uint32_t i = 0; ok && i < r->tasks; i++) {
                struct shard_task *t = &x->tasks.at[i];

                if (parts[i].shard == x->s->config->shard) {
                        x->tasks.at[own++] = *t;
                        continue;
                }
                *vec_push(&x->other) = t->place;
                stream_fini(&t->state);
        }
        if (ok)
                r->own = x->tasks.n = own;
        free(parts);
        return ok;
}

/* Explores the tasks that are left, then what they call for. */
static int explore_own(struct shard *x)
{
        uint64_t runs;
        int e = VISIT_DONE, more = 1;

        while (e == VISIT_DONE && more > 0) {
                if (x->tasks.n) {
                        if (!take_task(x, x->tasks.n - 1))
                                return no_memory(x);
                        x->extra = false;
                } else {
                        more = take_branch(x);
                        x->extra = true;
                }
                if (more <= 0)
                        return more < 0 ? more : VISIT_DONE;
                e = visit(x, UINT64_MAX, &runs);
                jobtree_done(&x->tree, &x->place);
        }
        return e;
}

static int explore(struct shard *x)
{
        struct result_shard *r = &x->s->result->shard;
        int e;

        for (;;) {
                r->in_plan = true;
                e = make_plan(x);
                if (e == VISIT_LEFT || e == VISIT_DONE) {
                        r->in_plan = false;
                        if (!deal(x))
                                return no_memory(x);
                        shard_count_plan(x->s, x->planned);
                        e = explore_own(x);
                }
                if (e != VISIT_GREW)
                        break;
                forget(x);
        }
        x->s->progress.covered = e == VISIT_DONE;
        return e < 0 ? e : (int)RUN_OK;
}

/* What `heddle merge` needs. */
static int tell(struct shard *x)
{
        struct result_shard *r = &x->s->result->shard;
        struct identity id = identity_of_session(x->s);
        struct stream knowledge = STREAM_INIT;

        _Static_assert(sizeof id == sizeof r->identity, "they are the same numbers");
        memcpy(r->identity, &id, sizeof id);
        r->index = x->s->config->shard;
        r->of = x->s->config->shards;
        shard_classes_hand_over(&x->seen, r);
        knowledge_save(&x->s->program, &knowledge);
        r->knowledge = knowledge.at;
        r->n_knowledge = knowledge.n;
        return knowledge.failed ? no_memory(x) : (int)RUN_OK;
}

int shard_explore(struct session *s, loop_progress progress, void *arg)
{
        struct shard x = {.s = s, .progress = progress, .arg = arg};
        bool divided = s->strategy->ops->parts != NULL;
        int e = RUN_OK, told;

        s->run.names_matter = true;
        s->progress.was_shared = true;
        if (divided)
                e = shard_parts_explore(s, progress, arg);
        x.strategy = s->strategy;
        x.share = s->strategy->ops->share;
        s->result->shard.replaced = divided && x.share;
        if (e == RUN_OK && x.share)
                e = explore(&x);
        told = tell(&x);
        clear_tree(&x);
        vec_fini(&x.tasks);
        vec_fini(&x.other);
        shard_classes_reset(&x.seen);
        classes_fini(&x.hashes);
        stream_fini(&x.body);
        estimate_reset(&s->progress.estimate); /* no shard has seen the whole tree */
        return e == RUN_OK ? told : e;
}
