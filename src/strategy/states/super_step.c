/*
 * super-step: runs an actor alone while its transitions are independent of all others (SuperStepPOR of SCALE: Florian 2010,
 * definition 25 and algorithm 6).
 *
 * From a super node every enabled actor takes a super step.  All moves of one but its last are independent of all moves of
 * the others, the last ones included, and enable none of them.  So whatever can be reached from the node is, up to the order of
 * independent moves, reached by taking whole super steps, one after the other; states within one need no other way on.
 *
 * A node knows what its actors have touched so far: the first move of each is foreseen when the node is made, and what
 * they do in their super steps is added as that is run.  The order does not matter: a step is made longer only if its
 * last move conflicts with nothing that is known of the others, and a move that is known of one actor later on was
 * foreseen, or is added under the same condition.
 *
 * Two accesses conflict here unless both are reads: of operations that commute as long as both are possible (waits at a
 * semaphore) one may disable the other.  An actor whose next move is not sure may touch anything: then no step
 * of the others from that node is longer than one move.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stored.h"
#include "strategy/states/filter.h"

struct touched {
        struct wire_access acc;
        uint16_t actor;
        bool inner;    /* of a move that was not the last of its step */
        bool anything; /* and not only acc */
};

struct node {
        VEC(struct touched) touched;
        uint32_t users;  /* 0: not in use */
        uint32_t unused; /* then: the next such one, or FILTER_NONE */
};

struct super_step {
        struct filter base;
        VEC(struct node) nodes;
        uint32_t unused;
};

static uint32_t open_node(struct filter *base)
{
        struct super_step *f = (struct super_step *)base;
        uint32_t i = f->unused;

        if (i == FILTER_NONE) {
                if (!vec_reserve(&f->nodes, 1))
                        return FILTER_NONE;
                i = f->nodes.n++;
                f->nodes.at[i] = (struct node){0};
        } else {
                f->unused = f->nodes.at[i].unused;
        }
        f->nodes.at[i].users = 1;
        f->nodes.at[i].touched.n = 0;
        return i;
}

static void hold(struct filter *base, uint32_t node)
{
        ((struct super_step *)base)->nodes.at[node].users++;
}

static void put(struct filter *base, uint32_t node)
{
        struct super_step *f = (struct super_step *)base;
        struct node *n = &f->nodes.at[node];

        if (--n->users)
                return;
        vec_fini(&n->touched);
        n->unused = f->unused;
        f->unused = node;
}

static bool add(struct node *n, const struct filter_move *m)
{
        if (!vec_reserve(&n->touched, m->n + 1))
                return false;
        for (uint32_t i = 0; i < m->n; i++)
                *vec_push(&n->touched) = (struct touched){.acc = m->acc[i], .actor = m->actor};
        if (!m->sure)
                *vec_push(&n->touched) = (struct touched){.actor = m->actor, .anything = true};
        return true;
}

static bool may(struct filter *base, uint32_t node, const struct filter_move *m)
{
        return add(&((struct super_step *)base)->nodes.at[node], m);
}

static bool reads(uint32_t mode)
{
        return mode == WIRE_MODE_READ || mode == WIRE_MODE_NONE;
}

static bool conflict(const struct wire_access *a, const struct wire_access *b)
{
        return a->obj < b->obj + b->size && b->obj < a->obj + a->size && !(reads(a->mode) && reads(b->mode));
}

/* Does the move conflict with what another actor has done from the node?  inner: with its inner moves only. */
static bool concerns(const struct node *n, const struct filter_move *m, bool inner)
{
        for (uint32_t k = 0; k < n->touched.n; k++) {
                const struct touched *t = &n->touched.at[k];

                if (t->actor == m->actor || (inner && !t->inner))
                        continue;
                if (t->anything)
                        return true;
                for (uint32_t i = 0; i < m->n; i++)
                        if (conflict(&m->acc[i], &t->acc))
                                return true;
        }
        return false;
}

static int goes_on(struct filter *base, uint32_t node, const struct filter_move *last, const struct filter_move *next,
                   bool enables)
{
        struct node *n = &((struct super_step *)base)->nodes.at[node];

        if (enables || concerns(n, last, false) || concerns(n, next, true))
                return 0;
        for (uint32_t k = 0; k < n->touched.n; k++)
                n->touched.at[k].inner |= n->touched.at[k].actor == last->actor;
        return add(n, next) ? 1 : -1;
}

static void save(const struct filter *base, struct stream *out)
{
        const struct super_step *f = (const struct super_step *)base;

        stream_put_u32(out, f->nodes.n);
        for (uint32_t i = 0; i < f->nodes.n; i++)
                vec_put(out, &f->nodes.at[i].touched, f->nodes.at[i].users ? f->nodes.at[i].touched.n : 0);
}

static bool sound(const struct node *n)
{
        for (uint32_t k = 0; k < n->touched.n; k++)
                if (*(const unsigned char *)&n->touched.at[k].inner > 1 ||
                    *(const unsigned char *)&n->touched.at[k].anything > 1)
                        return false;
        return true;
}

static int load(struct filter *base, struct stream *in, const uint32_t *nodes, uint32_t n)
{
        struct super_step *f = (struct super_step *)base;
        uint32_t count;

        base->ops->reset(base);
        count = stream_get_count(in, STORED_MAX, sizeof(uint32_t));
        if (!vec_reserve(&f->nodes, count))
                return -1;
        while (f->nodes.n < count) {
                struct node *new = vec_push(&f->nodes);
                *new = (struct node){.users = 1};
                if (!vec_get(in, &new->touched, STORED_MAX) || !sound(new))
                        return -1;
        }
        for (uint32_t i = 0; i < n; i++) {
                if (nodes[i] >= f->nodes.n)
                        return -1;
                f->nodes.at[nodes[i]].users++;
        }
        for (uint32_t i = 0; i < f->nodes.n; i++)
                put(base, i); /* nodes without another reference are freed */
        return in->failed ? -1 : 0;
}

static void reset(struct filter *base)
{
        struct super_step *f = (struct super_step *)base;

        for (uint32_t i = 0; i < f->nodes.n; i++)
                if (f->nodes.at[i].users)
                        vec_fini(&f->nodes.at[i].touched);
        f->nodes.n = 0;
        f->unused = FILTER_NONE;
}

static void destroy(struct filter *base)
{
        struct super_step *f = (struct super_step *)base;

        reset(base);
        vec_fini(&f->nodes);
        free(f);
}

static struct filter *create(const struct config *config)
{
        struct super_step *f = calloc(1, sizeof *f);

        (void)config;
        if (!f)
                return NULL;
        f->base.ops = &filter_super_step;
        f->unused = FILTER_NONE;
        return &f->base;
}

const struct filter_ops filter_super_step = {
        .name = "super-step",
        .create = create,
        .reset = reset,
        .save = save,
        .load = load,
        .destroy = destroy,
        .open = open_node,
        .may = may,
        .goes_on = goes_on,
        .hold = hold,
        .put = put,
};
