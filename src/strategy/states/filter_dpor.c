/*
 * dpor: from a state one actor continues, and others only where a race asks for them (dynamic partial order reduction with
 * source sets and sleep sets, as in dpor.c, whose races and sets these are), in whatever order the frontier is picked from.
 *
 * Why no order is needed.  Let E be a state and w a way on to an end that begins with none of the actors that sleep at E.  When
 * everything was run, an actor that may go first in w has a branch at E: otherwise the execution below one of the branches
 * that agrees with w for longest shows a race with that branch's transition, which adds one (the proof of source sets,
 * Abdulla et al., POPL 2014, goes from the ends of executions upwards, not along time).  Of these actors take the one whose
 * branch was run first: no actor that sleeps in it may go first in what is left of w, so that is run below it.  Sleeping
 * needs an order of the branches of a node, any one: it is the order in which they are picked, since then it is known what
 * those before touch.
 *
 * Every execution is taken in as a whole: its path is built again with the branches and sleepers of its nodes.  Races
 * between transitions before the picked one are known.
 *
 * All branches of an actor, one for each list of choices in its transition, are run before those of others that are due at
 * the same node: these wait, since all branches of the actor sleep in them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "strategy/dpor/backtrack_sets.h"
#include "strategy/states/filter_dpor_node.h"
#include "strategy/states/filter.h"

struct filter_dpor {
        struct filter base;
        struct dpor dpor; /* of the execution at hand */
        struct dpor_nodes nodes;
        VEC(uint32_t) way;    /* the nodes of the execution at hand, as far as there are any */
        VEC(uint32_t) origin; /* by actor: the last node where it fell asleep */
        uint32_t known;       /* transitions of the execution at hand that are a replay */
        uint32_t place;       /* the branch of the last node before these end */
};

static struct dpor_node *node_at(struct filter_dpor *f, uint32_t i)
{
        return &f->nodes.all.at[f->way.at[i]];
}

static const struct dpor_sleeper *slept(const struct dpor_node *n, uint32_t actor)
{
        for (uint32_t k = 0; k < n->n_slept; k++)
                if (n->slept[k].actor == actor)
                        return &n->slept[k];
        return NULL;
}

struct writing {
        const struct dpor_node *node;
        struct schedule *out;
};

/* One that slept in part when it came here does not sleep in the target: the target does not know which of its branches do. */
static int write_sleeper(void *arg, const struct dpor_branch *b)
{
        const struct writing *w = arg;

        return slept(w->node, b->actor) ? 1 : path_write_sleeper(w->out, b->actor, b->acc, b->n_acc);
}

/* The decisions that the pick has of its transition: its first one, or choices that the branch begins with. */
static uint32_t decisions_of(const struct dpor_node *n, const struct filter_pick *pick)
{
        for (uint32_t k = n->given; k < n->n_branches; k++)
                if (n->branches[k].actor == pick->actor && n->branches[k].n_values && pick->choice != WIRE_NO_CHOICE)
                        return n->branches[k].n_values;
        return 1;
}

static int sleepers(const struct filter *base, const struct filter_pick *pick, struct schedule *out)
{
        const struct filter_dpor *f = (const struct filter_dpor *)base;
        const struct dpor_node *n = &f->nodes.all.at[pick->node];
        int r = 1;

        out->n_last = decisions_of(n, pick);
        for (uint32_t i = 0; i < n->n_slept && r > 0; i++) {
                const struct dpor_node *from = &f->nodes.all.at[n->slept[i].node];

                for (uint32_t k = 0; k < from->given && r > 0 && !n->slept[i].partial; k++)
                        if (from->branches[k].actor == n->slept[i].actor)
                                r = path_write_sleeper(out, n->slept[i].actor, from->branches[k].acc,
                                                       from->branches[k].n_acc);
        }
        return r > 0 ? dpor_node_asleep(n, n->given, pick->actor, write_sleeper, &(struct writing){n, out}) : r;
}

/* Taking an execution in. */

static bool widen(void *arg, uint32_t actors)
{
        struct filter_dpor *f = arg;

        if (actors > f->origin.n && !vec_reserve(&f->origin, actors - f->origin.n))
                return false;
        f->origin.n = actors > f->origin.n ? actors : f->origin.n;
        return dpor_widen(&f->dpor, actors);
}

static int put_to_sleep(void *arg, const struct dpor_branch *b)
{
        struct filter_dpor *f = arg;
        struct path *p = &f->dpor.path;

        if (!widen(f, b->actor + 1u))
                return -ENOMEM;
        f->origin.at[b->actor] = f->way.at[p->nodes.n - 1];
        return path_put_to_sleep(p, &p->nodes.at[p->nodes.n - 1], b->actor, b->values, b->n_values, b->acc, b->n_acc)
                       ? 1
                       : -ENOMEM;
}

/* A node that was there before has its branches, and those sleep that came before the one at hand. */
static bool pushed(void *arg, uint32_t i)
{
        struct filter_dpor *f = arg;
        const struct dpor_node *n;
        uint32_t place;

        if (!dpor_pushed(&f->dpor, i))
                return false;
        if (i >= f->way.n)
                return true;
        n = node_at(f, i);
        for (uint32_t k = 0; k < n->n_branches; k++) {
                uint32_t actor = n->branches[k].actor;

                if (!widen(f, actor + 1))
                        return false;
                bitset_add(dpor_backtrack(&f->dpor, i), actor);
        }
        place = i + 1 < f->way.n ? node_at(f, i + 1)->place : f->place;
        return dpor_node_asleep(n, place, n->branches[place].actor, put_to_sleep, f) > 0;
}

static bool taken(void *arg, uint32_t i)
{
        return dpor_taken(&((struct filter_dpor *)arg)->dpor, i);
}

static bool race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        struct filter_dpor *f = arg;

        return f->dpor.path.nodes.n <= f->known || dpor_race(&f->dpor, i, actor, past);
}

static bool open_up(void *arg, uint32_t i, uint32_t actor)
{
        return dpor_open(&((struct filter_dpor *)arg)->dpor, i, actor);
}

/* The nodes of the execution, down to the one that was picked from; 0, -ENOMEM, or -EINVAL. */
static int find_way(struct filter_dpor *f, const struct filter_pick *pick)
{
        f->way.n = f->known = 0;
        if (pick->node == FILTER_NONE)
                return 0;
        if (pick->node >= f->nodes.all.n || f->nodes.all.at[pick->node].depth > pick->depth)
                return -EINVAL;
        f->known = f->nodes.all.at[pick->node].depth;
        if (!vec_reserve(&f->way, f->known + 1))
                return -ENOMEM;
        f->way.n = f->known + 1;
        for (uint32_t i = f->way.n, node = pick->node; i-- > 0; node = f->nodes.all.at[node].parent)
                f->way.at[i] = node;
        f->place = dpor_branch_enter(node_at(f, f->known), pick->actor, pick->choice != WIRE_NO_CHOICE);
        return f->place == FILTER_NONE ? -EINVAL : 0;
}

/* The actor that must go first from node i of the path, and has no branch there. */
static bool is_due(struct filter_dpor *f, uint32_t i, uint32_t actor)
{
        const struct path *p = &f->dpor.path;
        const struct path_node *n = &p->nodes.at[i];

        return bitset_has(dpor_backtrack(&f->dpor, i), actor) && actor != n->actor && !path_sleeps(p, n, actor) &&
               (i >= f->way.n || !dpor_branch_any(node_at(f, i), actor));
}

static bool any_due(struct filter_dpor *f, uint32_t i)
{
        for (uint32_t a = 0; a < f->dpor.words * 64; a++)
                if (is_due(f, i, a))
                        return true;
        return f->dpor.path.nodes.at[i].more;
}

/* The state before transition i becomes a node, in which that is the first branch. */
static bool add_node(struct filter_dpor *f, uint32_t i)
{
        const struct path *p = &f->dpor.path;
        const struct path_node *from = &p->nodes.at[i];
        uint32_t node = dpor_node_new(&f->nodes, i ? f->way.at[i - 1] : FILTER_NONE, i ? f->place : 0);
        struct dpor_node *n;

        if (node == FILTER_NONE || !vec_reserve(&f->way, 1))
                return false;
        *vec_push(&f->way) = node;
        n = &f->nodes.all.at[node];
        n->slept = malloc((from->inherited + 1) * sizeof *n->slept);
        if (!n->slept || !dpor_branch_add(n, from->actor, NULL, 0))
                return false;
        for (uint32_t k = 0; k < from->inherited; k++) {
                const struct path_sleeper *s = &p->sleepers.at[from->sleep + k];
                if (!slept(n, s->actor))
                        n->slept[n->n_slept++] = (struct dpor_sleeper){f->origin.at[s->actor], s->actor, s->partial};
        }
        n->given = 1;
        f->place = 0;
        return true;
}

/* The transition that was taken from node i; if it has another branch, that waits. */
static bool set_branch(struct filter_dpor *f, uint32_t i)
{
        struct path *p = &f->dpor.path;
        const struct path_node *n = &p->nodes.at[i];
        uint32_t n_values;
        const uint32_t *values = path_values(p, i, &n_values);

        if (!values || !dpor_branch_set(&node_at(f, i)->branches[f->place], values, n_values,
                                        n->n_acc ? &p->accesses.at[n->acc] : NULL, n->n_acc, n->more))
                return false;
        values = n->more ? path_next_values(p, i, &n_values) : NULL;
        return !n->more || (values && dpor_branch_add(node_at(f, i), n->actor, values, n_values));
}

/* The actors that wait at node i go to the frontier: the next branch of an actor alone, before others.  It shares all its
 * choices but the last with the execution at hand. */
static bool release(struct filter_dpor *f, uint32_t i, uint32_t decision, filter_go go, void *arg)
{
        uint32_t first = node_at(f, i)->given, last = node_at(f, i)->n_branches;
        bool ok = true;

        for (uint32_t k = first; k < last; k++)
                if (node_at(f, i)->branches[k].n_values) {
                        first = k;
                        last = k + 1;
                }
        for (uint32_t k = first; k < last && ok; k++) {
                struct dpor_branch *b = &node_at(f, i)->branches[k];
                uint32_t n = b->n_values;

                ok = b->gone ||
                     go(arg, decision + (n ? n - 1 : 0), f->way.at[i], b->actor, n ? b->values[n - 1] : WIRE_NO_CHOICE);
                b->gone = true;
        }
        return ok;
}

/* What is due because of the execution, from above to below. */
static bool grow(struct filter_dpor *f, filter_go go, void *arg)
{
        const struct path *p = &f->dpor.path;
        uint32_t known = f->way.n, n = p->nodes.n;
        bool ok = true;

        while (n > known && !any_due(f, n - 1))
                n--;
        for (uint32_t i = 0; i < n && ok; i++) {
                if (i >= known)
                        ok = add_node(f, i);
                if (i >= f->known)
                        ok = ok && set_branch(f, i);
                for (uint32_t a = 0; a < f->dpor.words * 64 && ok; a++)
                        ok = !is_due(f, i, a) || dpor_branch_add(node_at(f, i), a, NULL, 0);
                ok = ok && release(f, i, p->nodes.at[i].decision, go, arg);
        }
        for (uint32_t i = known; i < f->way.n; i++)
                dpor_node_put(&f->nodes, f->way.at[i]); /* the entry that continues from there holds it */
        return ok;
}

static int learn(struct filter *base, const struct filter_pick *pick, const struct trace *t, filter_go go, void *arg)
{
        static const struct path_hooks hooks = {
                .widen = widen, .pushed = pushed, .taken = taken, .race = race, .open = open_up};
        struct filter_dpor *f = (struct filter_dpor *)base;
        int r = find_way(f, pick);

        path_reset(&f->dpor.path);
        f->dpor.backtrack.n = 0;
        if (!r)
                r = path_learn(&f->dpor.path, t, &hooks, f);
        if (!r && f->dpor.path.nodes.n < f->way.n) { /* the transition failed before it touched anything */
                if (t->end != WIRE_END_FAILED)
                        return -EINVAL;
                return release(f, f->known, pick->depth, go, arg) ? 0 : -ENOMEM;
        }
        return r < 0 ? r : grow(f, go, arg) ? r : -ENOMEM;
}

/* What every filter has. */

static void hold(struct filter *base, uint32_t node)
{
        ((struct filter_dpor *)base)->nodes.all.at[node].users++;
}

static void put(struct filter *base, uint32_t node)
{
        dpor_node_put(&((struct filter_dpor *)base)->nodes, node);
}

static void save(const struct filter *base, struct stream *out)
{
        dpor_nodes_save(&((const struct filter_dpor *)base)->nodes, out);
}

static int load(struct filter *base, struct stream *in, const uint32_t *nodes, uint32_t n)
{
        return dpor_nodes_load(&((struct filter_dpor *)base)->nodes, in, nodes, n) ? 0 : -1;
}

static void reset(struct filter *base)
{
        dpor_nodes_reset(&((struct filter_dpor *)base)->nodes);
}

static void destroy(struct filter *base)
{
        struct filter_dpor *f = (struct filter_dpor *)base;

        dpor_fini(&f->dpor);
        dpor_nodes_fini(&f->nodes);
        vec_fini(&f->way);
        vec_fini(&f->origin);
        free(f);
}

static struct filter *create(const struct config *config)
{
        struct filter_dpor *f = calloc(1, sizeof *f);

        (void)config;
        if (!f || !dpor_init(&f->dpor)) {
                free(f);
                return NULL;
        }
        f->base.ops = &filter_dpor;
        dpor_nodes_init(&f->nodes);
        return &f->base;
}

const struct filter_ops filter_dpor = {
        .name = "dpor",
        .create = create,
        .reset = reset,
        .save = save,
        .load = load,
        .destroy = destroy,
        .hold = hold,
        .put = put,
        .sleep = sleepers,
        .learn = learn,
};
