/*
 * Optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
 * POPL 2014, algorithm 2; Source sets, JACM 2017): explores each Mazurkiewicz trace exactly once, without
 * redundant executions.
 *
 * Each node of the path has a wakeup tree: the sequences still to be explored from it.  A schedule is the path
 * to a node, the first step of its tree, and the rest of that sequence as hints.  Every race adds its reversal to the tree
 * of the node before its earlier half, unless that has been run (reversal.c).  At the end of a sequence all actors are
 * awake, so that no execution is redundant.
 *
 * Races are dealt with at the end of an execution, since what comes after the later half belongs to the reversal too.
 * One for which only the part of the path mattered that the next execution shares needs no second look.
 *
 * Departures.  Sequences are cut down to what is needed.  All values of a choice are explored from its node; a sequence
 * ends where it would need another value than the first.  Where an actor sleeps at the end of a sequence (for that reason,
 * or because footprints depend on data), the sleeper is *stale*: no tree contains what should wake it, so that it
 * counts as in dpor.c, for initials of the later half's own past only.
 */
#include "strategy/dpor/optimal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/deadline.h"
#include "op/op.h"
#include "strategy/dpor/optimal_ahead.h"
#include "strategy/dpor/optimal_share.h"
#include "strategy/dpor/reversal.h"
#include "strategy/makers.h"

static bool on_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        struct optimal *o = arg;

        if (o->path.causality.pending)
                return reversal_blocked(o, i, actor, past);
        if (!vec_reserve(&o->races, 1))
                return false;
        *vec_push(&o->races) =
                (struct optimal_race){i, o->path.nodes.n - 1, CAUSALITY_NONE, 0, o->path.causality.waits};
        return true;
}

static int all(void *arg)
{
        struct optimal *o = arg;

        wakeup_tree_drop_list(&o->wakeup, o->tree);
        o->tree = 0;
        for (uint32_t k = 0; k < o->races.n; k++) {
                if (late_soon())
                        return -EINTR;
                if (o->races.at[k].upto > o->path.branch && !reversal_found(o, &o->races.at[k]))
                        return -ENOMEM;
        }
        return 0;
}

/* What the actor would touch is not known: a guess. */
bool optimal_open(void *arg, uint32_t i, uint32_t actor)
{
        struct optimal *o = arg;
        const struct path_node *n = &o->path.nodes.at[i];
        uint32_t *list, step;

        if (actor == n->actor || path_sleeps(&o->path, n, actor))
                return true;
        for (uint32_t s = o->trees.at[i]; s; s = wakeup_tree_at(&o->wakeup, s)->next)
                if (wakeup_tree_at(&o->wakeup, s)->actor == actor)
                        return true;
        step = wakeup_tree_add(&o->wakeup, (uint16_t)actor, OP_NONE, NULL, 0, WAKEUP_GUESS);
        if (!step)
                return false;
        for (list = &o->trees.at[i]; *list;)
                list = &wakeup_tree_at(&o->wakeup, *list)->next;
        *list = step;
        if (i < o->own)
                optimal_report_open(o, i, step);
        return true;
}

/* A new node has what the tree holds for it.  An actor that sleeps where the tree has ended is stale. */
static bool pushed(void *arg, uint32_t i)
{
        struct optimal *o = arg;
        const struct path_node *n = &o->path.nodes.at[i];

        if (!vec_reserve(&o->trees, 1))
                return false;
        *vec_push(&o->trees) = o->tree;
        for (uint32_t k = 0; k < n->n_sleep; k++)
                if (!o->tree || o->path.sleepers.at[n->sleep + k].stale)
                        o->path.sleepers.at[n->sleep + k].stale = STALE;
        o->tree = 0;
        return true;
}

/* Takes the first step of a node off its tree: what follows it takes its place, before its alternatives. */
static void skip_step(struct optimal *o, uint32_t *list)
{
        uint32_t s = *list, next = wakeup_tree_at(&o->wakeup, s)->next;

        *list = wakeup_tree_at(&o->wakeup, s)->child;
        while (*list)
                list = &wakeup_tree_at(&o->wakeup, *list)->next;
        *list = next;
        wakeup_tree_drop(&o->wakeup, s);
}

/* The step of node i could not be run: what follows it is not, and those that sleep here are stale. */
static void give_up(struct optimal *o, uint32_t i, uint32_t list)
{
        const struct path_node *n = &o->path.nodes.at[i];

        wakeup_tree_drop_list(&o->wakeup, list);
        for (uint32_t k = 0; k < n->n_sleep; k++)
                o->path.sleepers.at[n->sleep + k].stale = STALE;
}

/* The actor has joined: that is what it does without a signal or a request to end. */
static void skip_instead(struct optimal *o, uint32_t *list, uint32_t actor)
{
        while (*list) {
                const struct wakeup_step *s = wakeup_tree_at(&o->wakeup, *list);

                if (s->actor == actor && op_comes_instead(s->op))
                        skip_step(o, list);
                else
                        list = &wakeup_tree_at(&o->wakeup, *list)->next;
        }
}

/* Follows the hints, the first steps of the trees on the way, as the target did: it skips a join that need not wait, and
 * waits in one where the tree has none. */
static bool taken(void *arg, uint32_t i)
{
        struct optimal *o = arg;
        const struct path_node *n = &o->path.nodes.at[i];
        uint32_t *list = &o->trees.at[i], s;

        o->blocks |= op_has(n->op, OPF_SECTION);
        if (i == o->path.branch)
                return true;
        while ((s = *list) && wakeup_tree_at(&o->wakeup, s)->op == OP_JOIN &&
               (n->op != OP_JOIN || n->actor != wakeup_tree_at(&o->wakeup, s)->actor))
                skip_step(o, list);
        if (!s)
                return true;
        if (n->op == OP_JOIN && wakeup_tree_at(&o->wakeup, s)->op != OP_JOIN) {
                o->tree = s;
                *list = 0;
                skip_instead(o, &o->tree, n->actor);
                return true;
        }
        *list = wakeup_tree_at(&o->wakeup, s)->next;
        if (n->actor == wakeup_tree_at(&o->wakeup, s)->actor)
                o->tree = wakeup_tree_at(&o->wakeup, s)->child;
        else
                give_up(o, i, wakeup_tree_at(&o->wakeup, s)->child);
        wakeup_tree_drop(&o->wakeup, s);
        return true;
}

/* next() */

/* Takes the next step of node i off its tree; 0: there is none. */
static uint32_t take_step(struct optimal *o, uint32_t i)
{
        const struct path_node *n = &o->path.nodes.at[i];
        uint32_t s;

        while ((s = o->trees.at[i])) {
                const struct wakeup_step *step = wakeup_tree_at(&o->wakeup, s);

                o->trees.at[i] = step->next;
                if (step->actor != n->actor && !path_sleeps(&o->path, n, step->actor))
                        break;
                wakeup_tree_drop_list(&o->wakeup, step->child);
                wakeup_tree_drop(&o->wakeup, s);
        }
        return s;
}

static bool turn(struct optimal *o, uint32_t i, uint32_t step)
{
        const struct path_node *n = &o->path.nodes.at[i];
        uint32_t actor = step ? wakeup_tree_at(&o->wakeup, step)->actor : n->actor;
        bool waits = step && wakeup_tree_at(&o->wakeup, step)->sure == WAKEUP_WAITS;

        optimal_cut(o, i + 1);
        o->tree = step ? wakeup_tree_at(&o->wakeup, step)->child : 0;
        if (step)
                wakeup_tree_drop(&o->wakeup, step);
        if (!(step ? path_turn(&o->path, i, actor) : path_turn_branch(&o->path, i)))
                return false;
        o->path.nodes.at[i].waits = waits;
        return true;
}

/* Turns the deepest node that has something left to do.  1, or 0 when none has. */
static int advance(struct optimal *o)
{
        if (!o->path.started) {
                o->path.started = true;
                return 1;
        }
        for (uint32_t i = o->path.nodes.n; i-- > o->own;) {
                bool answers = o->path.nodes.at[i].more;
                uint32_t step = answers ? 0 : take_step(o, i);

                if (step || answers)
                        return turn(o, i, step) ? 1 : -ENOMEM;
        }
        path_clear(&o->path);
        optimal_cut_trees(o, 0);
        o->races.n = o->own = 0;
        return 0;
}

static int optimal_next(struct strategy *base, struct schedule *out)
{
        struct optimal *o = (struct optimal *)base;
        int r = o->path.given ? 1 : advance(o);

        heddle_check(r < 0 || wakeup_tree_check(&o->wakeup));
        if (r > 0)
                r = path_schedule(&o->path, out);
        if (r <= 0)
                return r;
        for (uint32_t s = o->tree; s && out->n_prefix + out->n_hints < WIRE_MAX_EVENTS;) {
                const struct wakeup_step *w = wakeup_tree_at(&o->wakeup, s);
                out->prefix[out->n_prefix + out->n_hints++] = (struct wire_decision){
                        .actor = w->actor, .op = w->op, .choice = WIRE_NO_CHOICE, .waits = w->sure == WAKEUP_WAITS};
                s = w->child;
        }
        out->flags |= WIRE_CUT_LOOPS | WIRE_AWAITS | WIRE_FAIR;
        return r;
}

/* Does a transition touch more than the operation that it begins with?  A wait on a condition variable has two parts. */
static bool has_blocks(const struct trace *t)
{
        uint32_t op = OP_NONE, part = 0;

        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];

                part = e->flags & WIRE_EV_SCHED ? 0 : part + 1;
                op = part ? op : e->op;
                if (part > (op == OP_COND_WAIT) && e->mode != WIRE_MODE_NONE)
                        return true;
        }
        return false;
}

static int optimal_learn(struct strategy *base, const struct trace *t)
{
        static const struct path_hooks hooks = {
                .pushed = pushed, .taken = taken, .race = on_race, .all = all, .open = optimal_open};
        struct optimal *o = (struct optimal *)base;
        int r;

        if (o->perhaps && has_blocks(t)) {
                o->perhaps = false;
                o->blocks = true;
                if (o->path.nodes.n)
                        return -EAGAIN;
        }
        r = path_learn(&o->path, t, &hooks, o);

        if (r > 0)
                optimal_cut_trees(o, o->path.nodes.n);
        heddle_check(r < 0 || wakeup_tree_check(&o->wakeup));
        return r;
}

static void optimal_save(const struct strategy *base, struct stream *out)
{
        const struct optimal *o = (const struct optimal *)base;

        optimal_save_upto(o, o->path.nodes.n, out);
}

/* For estimates: the actors that have been run from a node, and what its tree holds. */

static uint32_t optimal_path(const struct strategy *base, uint32_t *branch)
{
        const struct optimal *o = (const struct optimal *)base;

        *branch = o->path.branch;
        return o->path.nodes.n;
}

static struct estimate_level optimal_level(const void *strategy, uint32_t i)
{
        const struct optimal *o = strategy;
        const struct path_node *n = &o->path.nodes.at[i];
        struct estimate_level l = {.entered = 1};

        for (uint32_t k = n->inherited; k < n->n_sleep; k++) {
                const struct path_sleeper *s = &o->path.sleepers.at[n->sleep + k];
                l.entered += s->actor != n->actor && (k == n->inherited || s->actor != s[-1].actor);
        }
        l.marked = l.entered + n->more;
        for (uint32_t s = o->trees.at[i]; s; s = wakeup_tree_at(&o->wakeup, s)->next)
                l.marked++;
        return l;
}

static void optimal_destroy(struct strategy *base)
{
        struct optimal *o = (struct optimal *)base;

        path_fini(&o->path);
        wakeup_tree_fini(&o->wakeup);
        vec_fini(&o->trees);
        vec_fini(&o->races);
        vec_fini(&o->v);
        vec_fini(&o->way);
        stream_fini(&o->common);
        free(o->need);
        free(o->met);
        free(o->barred);
        free(o);
}

static const struct persist_ops optimal_persist = {.format = "optimal", .save = optimal_save, .load = optimal_load};
static const struct tree_ops optimal_tree = {.path = optimal_path, .level = optimal_level};

static const struct strategy_ops optimal_ops = {
        .next = optimal_next,
        .learn = optimal_learn,
        .reset = optimal_reset,
        .destroy = optimal_destroy,
        .ahead = optimal_ahead,
        .persist = &optimal_persist,
        .tree = &optimal_tree,
        .share = &optimal_share,
};

struct strategy *optimal_create(bool blocks)
{
        struct optimal *o = calloc(1, sizeof *o);

        if (!o)
                return NULL;
        o->base.ops = &optimal_ops;
        o->blocks = blocks;
        if (!path_init(&o->path)) {
                free(o);
                return NULL;
        }
        return &o->base;
}

struct strategy *optimal_create_alone(bool blocks)
{
        struct strategy *s = optimal_create(false);

        if (s)
                ((struct optimal *)s)->perhaps = blocks;
        return s;
}

struct strategy *optimal_make(const struct config *config, bool blocks)
{
        return config_shared(config) ? optimal_create(blocks) : optimal_create_alone(blocks);
}
