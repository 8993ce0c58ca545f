/*
 * How optimal.c reverses a race.
 *
 * A race of transition i with a later operation is reversed by the sequence v: all that comes after i without depending
 * on it, and then the operation.  If an actor that sleeps before i may go first in v (is a weak initial of it), v has
 * been run.  Otherwise it goes into the wakeup tree of i: as deep as there are steps that may come next in v; unless that
 * ends at a leaf, what is left of v is added.
 *
 * What is added is cut down to the causal past of the operation and of whatever first wakes each sleeper, and each step
 * that will be run before: more is not needed for an actor to be awake at its end.  What is tested against the tree is the
 * whole of v.
 *
 * An operation that did not run (it is blocked at the end) could have run before i, but perhaps not after all of v: what
 * keeps it from running may commute with i, as readers do that a writer waits for.  That, and what comes after it, is not
 * part of v.
 *
 * `need`, `met` and `barred` cut v by actors, for what is needed or met of an actor, and what v has of it, is always a beginning.
 */
#include "strategy/dpor/reversal.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "hb/initials.h"
#include "op/op.h"
#include "strategy/dpor/optimal_share.h"
#include "strategy/dpor/overtakes.h"
#include "strategy/dpor/relation.h"
#include "strategy/dpor/same_block.h"

#define NONE CAUSALITY_NONE

/* A race under treatment. */
struct later {
        const uint32_t *past; /* clock of its later half */
        const struct wire_access *acc;
        uint32_t n_acc;
        uint32_t i;      /* the node of its earlier half */
        uint32_t j;      /* its later half; NONE: blocked at the end */
        uint32_t upto;   /* transitions from here on did not matter */
        uint32_t beside; /* as in struct optimal_race */
        uint16_t actor;
        uint8_t op;
        enum wakeup_sure sure; /* of acc, without the earlier half */
        bool last;             /* it ends v, and the tree does not have it yet */
        bool waits;            /* it may have to wait without the earlier half */
        bool doubt;            /* it may depend on more of v than its past says */
};

static enum wakeup_sure sure_of(const struct optimal *o, const struct optimal_race *r)
{
        const struct path_node *n = &o->path.nodes.at[r->j];

        if (o->blocks)
                return same_block(o, r->i, r->j) ? WAKEUP_SURE : WAKEUP_GUESS;
        return wakeup_sure_of(n->op, &o->path.accesses.at[n->acc], n->n_acc);
}

/* The same without any change of what came before it, but with all answers to its choice. */
static enum wakeup_sure sure_again(const struct optimal *o, const struct path_node *n)
{
        bool sure = op_has(n->op, OPF_CHOICES) && op_has(n->op, OPF_SURE | OPF_SURE_WRITTEN);

        return (n->other || n->more) && (o->blocks || !sure) ? WAKEUP_GUESS : WAKEUP_SURE;
}

/* Is t, which comes after i, a part of v? */
static inline bool in_v(const struct optimal *o, const struct later *l, uint32_t t)
{
        return !optimal_depends(o, l->i, t) && (l->j != NONE || t < o->barred[o->path.nodes.at[t].actor]);
}

/* Only where the operation did not run: else what it conflicts with is ordered before it. */
static bool bars(const struct optimal *o, const struct later *l, uint32_t t)
{
        return l->j == NONE && path_bars(&o->path, l->acc, l->past, t);
}

/* What is not in v although it does not depend on i: what bars the operation, and what depends on that. */
static void bar(struct optimal *o, const struct later *l)
{
        const struct path *p = &o->path;

        for (uint32_t s = 0; s < p->causality.stride; s++)
                o->barred[s] = NONE;
        for (uint32_t t = l->i + 1; t < p->causality.settled; t++) {
                const uint32_t *clock = causality_clock(&p->causality, t);
                bool out = optimal_depends(o, l->i, t) || bars(o, l, t);

                for (uint32_t s = 0; s < p->causality.stride && !out; s++)
                        out = clock[s] > o->barred[s] && o->barred[s] != NONE;
                if (out && t < o->barred[p->nodes.at[t].actor])
                        o->barred[p->nodes.at[t].actor] = t;
        }
}

static void matters(struct later *l, uint32_t t)
{
        if (l->upto != NONE && (t == NONE || t >= l->upto))
                l->upto = t == NONE ? NONE : t + 1;
}

/* Writes down v. */
static bool sequence(struct optimal *o, const struct later *l)
{
        const struct causality *c = &o->path.causality;
        const uint32_t actor = o->path.nodes.at[l->i].actor, stride = c->stride, settled = c->settled, i = l->i;
        const uint32_t *clock = causality_clock(c, i) + actor;
        uint32_t *v, n = 0;

        o->v.n = 0;
        if (!vec_reserve(&o->v, o->path.nodes.n))
                return false;
        v = o->v.at;
        for (uint32_t t = late_for(settled - i) ? settled : i + 1; t < settled; t++) {
                clock += stride;
                if (*clock <= i && (l->j != NONE || in_v(o, l, t)))
                        v[n++] = t;
        }
        o->v.n = n;
        return true;
}

static bool prepare(struct optimal *o, const struct later *l)
{
        uint32_t n = o->path.causality.stride;

        if (o->n_actors < n) {
                uint32_t **all[] = {&o->need, &o->met, &o->barred};
                for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
                        uint32_t *more = realloc(*all[k], n * sizeof *more);
                        if (!more)
                                return false;
                        *all[k] = more;
                }
                o->n_actors = n;
        }
        if (l->j == NONE)
                bar(o, l);
        if (!sequence(o, l))
                return false;
        memcpy(o->need, l->past, n * sizeof *o->need);
        for (uint32_t s = 0; s < n; s++)
                o->met[s] = l->i;
        return true;
}

static void require(struct optimal *o, const uint32_t *clock)
{
        clock_join(o->need, clock, o->path.causality.stride);
}

/* An actor that would touch this if it came first in what is left of v: does something come before it?  Then that is
 * required: it wakes the actor. */
static bool refuted(struct optimal *o, struct later *l, uint32_t q, const struct wire_access *fp, uint32_t n,
                    enum wakeup_sure sure)
{
        const struct path *p = &o->path;
        enum relation r = APART;
        uint32_t by = l->j;

        for (uint32_t k = late_for(o->v.n) ? o->v.n : 0; k < o->v.n && r != CONFLICT; k++) {
                uint32_t t = o->v.at[k];
                const struct path_node *node = &p->nodes.at[t];
                enum relation now;

                if (t <= o->met[node->actor])
                        continue;
                now = node->actor == q || overtakes(o, q, fp, n, t)
                              ? CONFLICT
                              : relation(fp, n, &p->accesses.at[node->acc], node->n_acc, sure);
                by = now > r ? t : by;
                r = now > r ? now : r;
        }
        if (r != CONFLICT && l->last && l->actor != q) {
                enum relation now = l->j != NONE && overtakes(o, q, fp, n, l->j)
                                            ? CONFLICT
                                            : relation(fp, n, l->acc, l->n_acc, sure < l->sure ? sure : l->sure);
                by = now > r ? l->j : by;
                r = now > r ? now : r;
        }
        matters(l, by);
        if (r != APART && by != l->j)
                require(o, causality_clock(&p->causality, by));
        return r != APART;
}

/* Does t come after a transition of a stale sleeper that may go first in v?  Such a v would not be run. */
static bool after_stale(const struct optimal *o, const struct later *l, uint32_t t)
{
        const struct path *p = &o->path;
        const struct path_node *n = &p->nodes.at[l->i];
        const uint32_t *clock = causality_clock(&p->causality, t);

        for (uint32_t k = 0; k < n->n_sleep; k++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + k];
                uint32_t first = s->stale == STALE ? causality_weak(&p->causality, l->i, s->actor) : NONE;

                if (first != NONE && clock[s->actor] > first)
                        return true;
        }
        return false;
}

/* The last operation may touch more without the earlier half, and then conflict with transitions of v that it does not
 * depend on now.  Is one of those left?  With `all`, they are required unless they are asleep: the operation comes after them, and
 * other orders are found as races when it has run. */
static bool last_in_doubt(struct optimal *o, const struct later *l, bool all)
{
        const struct path *p = &o->path;
        bool any = false;

        for (uint32_t k = 0; k < o->v.n && l->sure != WAKEUP_SURE && (all || !any); k++) {
                uint32_t t = o->v.at[k];
                const struct path_node *n = &p->nodes.at[t];

                if (t <= o->met[n->actor] ||
                    relation(&p->accesses.at[n->acc], n->n_acc, l->acc, l->n_acc, l->sure) == APART)
                        continue;
                any = true;
                if (all && !after_stale(o, l, t))
                        require(o, causality_clock(&p->causality, t));
        }
        return any;
}

/* Does nothing that is left of v come before the last operation? */
static bool last_is_initial(struct optimal *o, const struct later *l)
{
        if (last_in_doubt(o, l, false))
                return false;
        for (uint32_t s = 0; s < o->path.causality.stride; s++) {
                uint32_t t = l->past[s] > o->met[s] + 1 ? causality_after(&o->path.causality, s, o->met[s]) : NONE;
                if (t != NONE && t < l->past[s] && t != l->j && in_v(o, l, t))
                        return false;
        }
        return true;
}

/* Nothing that is left of v comes before transition t in it. */
static bool is_initial(const struct optimal *o, uint32_t t)
{
        const uint32_t *clock = causality_clock(&o->path.causality, t);

        for (uint32_t s = 0; s < o->path.causality.stride; s++)
                if (s != o->path.nodes.at[t].actor && clock[s] > o->met[s] + 1)
                        return false;
        return true;
}

/* The next transition of the step's actor in what is left of v.  A join that the step does not know is none of its own where it need
 * not wait. */
static uint32_t next_of(const struct optimal *o, const struct wakeup_step *s)
{
        const struct path *p = &o->path;
        uint32_t t = causality_after(&p->causality, s->actor, o->met[s->actor]);

        while (t != NONE && p->nodes.at[t].op == OP_JOIN && s->op != OP_JOIN && !op_comes_instead(s->op))
                t = causality_after(&p->causality, s->actor, t);
        return t;
}

/* May this step come first in what is left of v?  Then it is taken off v. */
static bool meet(struct optimal *o, struct later *l, const struct wakeup_step *s, bool *other)
{
        uint32_t t = NONE;

        if (s->actor < o->path.causality.stride) /* it has run or waits */
                t = next_of(o, s);
        *other = false;
        if (s->sure == WAKEUP_WAITS) {
                bool same = l->waits && l->last && s->actor == l->actor && last_is_initial(o, l);

                if (!same)
                        refuted(o, l, s->actor, wakeup_tree_footprint(s), s->n_acc, WAKEUP_WAITS);
                l->last &= !same;
                matters(l, l->j);
                return same;
        }
        if (t != NONE && in_v(o, l, t) && is_initial(o, t)) {
                o->met[s->actor] = t;
                *other = o->path.nodes.at[t].other;
                matters(l, t);
                return true;
        }
        if (l->last && s->actor == l->actor && last_is_initial(o, l)) {
                l->last = false;
                matters(l, l->j);
                return true;
        }
        if (l->last && s->actor == l->actor && s->op != l->op)
                return false; /* a request to end, say, makes it do something else, and comes before that */
        if (refuted(o, l, s->actor, wakeup_tree_footprint(s), s->n_acc, (enum wakeup_sure)s->sure))
                return false;
        l->last &= s->actor != l->actor;
        matters(l, NONE);
        return true;
}

/* Does an actor that sleeps before i, and may go first in v, show that v has been run?  Quick: by a transition in v. */
static bool has_been_run(struct optimal *o, struct later *l)
{
        const struct path *p = &o->path;
        const struct path_node *n = &p->nodes.at[l->i];

        for (uint32_t k = 0; k < n->n_sleep; k++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + k];
                uint32_t t = causality_weak(&p->causality, l->i, s->actor);

                if (s->actor == n->actor || (t != NONE && s->stale == STALE && t >= l->past[s->actor]))
                        continue; /* not all answers of its choice have been run */
                if (t == NONE && l->last && s->actor == l->actor && (s->stale == STALE || l->sure == WAKEUP_SURE) &&
                    causality_alone(&p->causality, l->i, l->past))
                        t = l->j;
                if (t == NONE || !path_covers(p, s, t) || (t != l->j && bars(o, l, t)))
                        continue;
                matters(l, t);
                return true;
        }
        return false;
}

/* Does the actor of sleeper k conflict with nothing in v?  All its branches are asked, for each is woken by something else. */
static bool runs_beside(struct optimal *o, struct later *l, uint32_t k)
{
        const struct path *p = &o->path;
        const struct path_node *n = &p->nodes.at[l->i];
        const struct path_sleeper *all = &p->sleepers.at[n->sleep], *s = &all[k];
        bool refutes = refuted(o, l, s->actor, &p->footprints.at[s->fp], s->n, WAKEUP_SURE);

        for (uint32_t m = 0; m < n->n_sleep && !refutes && s->n_words; m++)
                refutes = m != k && all[m].actor == s->actor &&
                          refuted(o, l, s->actor, &p->footprints.at[all[m].fp], all[m].n, WAKEUP_SURE);
        return !refutes;
}

/* ... or because it conflicts with nothing in v. */
static bool has_been_run_beside(struct optimal *o, struct later *l)
{
        const struct path *p = &o->path;
        const struct path_node *n = &p->nodes.at[l->i];

        for (uint32_t k = 0; k < n->n_sleep; k++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + k];
                if (s->actor != n->actor && s->stale != STALE && !s->partial && runs_beside(o, l, k)) {
                        matters(l, NONE);
                        l->beside = s->n_words || p->causality.stores.n ? 0 : k + 1;
                        return true;
                }
        }
        return false;
}

/* Adds what is left of v and required as the last alternative after this step, or at the node if it is 0. */
static bool insert(struct optimal *o, struct later *l, uint32_t parent)
{
        const struct path *p = &o->path;
        uint32_t first = 0, before = 0, *list;
        bool whole = true;

        for (uint32_t k = 0; k <= o->v.n && whole; k++) {
                uint32_t t = k < o->v.n ? o->v.at[k] : NONE, step;
                const struct path_node *n = &p->nodes.at[t == NONE ? 0 : t];

                if (t == NONE ? !l->last : t >= o->need[n->actor] || t <= o->met[n->actor])
                        continue;
                matters(l, t == NONE ? l->j : t);
                whole = t != NONE && !n->other;
                step = t == NONE ? wakeup_tree_add(&o->wakeup, l->actor, l->op, l->acc, l->n_acc,
                                                   l->waits ? WAKEUP_WAITS : l->sure)
                                 : wakeup_tree_add(&o->wakeup, n->actor, n->op, &p->accesses.at[n->acc], n->n_acc,
                                                   sure_again(o, n));
                if (!step)
                        return false;
                *(before ? &wakeup_tree_at(&o->wakeup, before)->child : &first) = step;
                before = step;
        }
        list = parent ? &wakeup_tree_at(&o->wakeup, parent)->child : &o->trees.at[l->i];
        while (*list)
                list = &wakeup_tree_at(&o->wakeup, *list)->next;
        *list = first;
        if (first && l->i < o->own)
                optimal_report_race(o, l->i, l->actor, l->doubt ? o->need : l->past, l->j == NONE ? l->acc : NULL,
                                    first);
        return true;
}

/* Makes sure that v is run, now that no sleeper shows that it has been. */
static bool plan(struct optimal *o, struct later *l)
{
        uint32_t parent = 0, s = o->trees.at[l->i];
        bool other;

        o->way.n = 0;
        for (;;) {
                while (s && !meet(o, l, wakeup_tree_at(&o->wakeup, s), &other))
                        s = wakeup_tree_at(&o->wakeup, s)->next;
                if (!s)
                        return insert(o, l, parent);
                parent = s;
                if (!vec_reserve(&o->way, 1))
                        return false;
                *vec_push(&o->way) = wakeup_tree_at(&o->wakeup, s)->actor;
                s = wakeup_tree_at(&o->wakeup, s)->child;
                if (!s || other) /* a leaf covers it; another answer is tried at that node anyway */
                        return true;
        }
}

static bool reverse(struct optimal *o, struct later *l)
{
        l->upto = 0;
        if (has_been_run(o, l))
                return true;
        if (!prepare(o, l))
                return false;
        if (has_been_run_beside(o, l))
                return true;
        if (l->last)
                l->doubt = last_in_doubt(o, l, true);
        if (l->last && l->sure != WAKEUP_SURE)
                matters(l,
                        NONE); /* all of v that it may conflict with, and v continues otherwise in other executions */
        return plan(o, l);
}

/* The race was there in the last execution, in which a sleeper ran beside v.  Is that so with what is new in v, too? */
static bool still_beside(const struct optimal *o, const struct optimal_race *r)
{
        const struct path *p = &o->path;
        const struct path_sleeper *s = &p->sleepers.at[p->nodes.at[r->i].sleep + r->beside - 1];

        for (uint32_t t = late_for(p->causality.settled - p->branch) ? p->causality.settled : p->branch;
             t < p->causality.settled; t++) {
                const struct path_node *n = &p->nodes.at[t];

                if (!optimal_depends(o, r->i, t) &&
                    (n->actor == s->actor ||
                     relation(&p->footprints.at[s->fp], s->n, &p->accesses.at[n->acc], n->n_acc, WAKEUP_SURE) != APART))
                        return false;
        }
        return true;
}

/* The later half is transition j. */
bool reversal_found(struct optimal *o, struct optimal_race *r)
{
        if (r->beside && r->j < o->path.branch && still_beside(o, r))
                return true;

        const struct path *p = &o->path;
        const struct path_node *n = &p->nodes.at[r->j];
        bool dependent = optimal_depends(o, r->i, r->j);
        struct later l = {
                .past = causality_clock(&p->causality, r->j),
                .acc = &p->accesses.at[n->acc],
                .n_acc = n->n_acc,
                .i = r->i,
                .j = r->j,
                .actor = n->actor,
                .op = n->op,
                .sure = sure_of(o, r),
                .last = dependent,
                .waits = r->waits,
        };

        if (!reverse(o, &l))
                return false;
        r->upto = l.upto;
        r->beside = l.beside;
        return true;
}

/* It did not run: it is blocked at the end, or was kept from it by what the thread did instead. */
bool reversal_blocked(struct optimal *o, uint32_t i, uint32_t actor, const uint32_t *past)
{
        const struct wire_access *pending = o->path.causality.pending;
        struct later l = {
                .past = past,
                .acc = pending,
                .n_acc = 1,
                .i = i,
                .j = NONE,
                .actor = (uint16_t)actor,
                .op = pending->op,
                .sure = o->blocks ? WAKEUP_GUESS : wakeup_sure_of(pending->op, pending, 1),
                .last = true,
                .waits = pending->mode == WIRE_MODE_READ,
        };

        return reverse(o, &l);
}
