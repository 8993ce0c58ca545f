/*
 * Common nodes.
 *
 * The branches of a node are in the order in which they are explored; the first `given` of them are, or were, a
 * worker's.  A branch is handed out when it is known what the first transition of each one before it touches, for all
 * choice values, since those actors sleep in it.  That the subtrees of these are not done yet makes no difference: they will be.
 *
 * A race that comes after the first steps of a branch adds to its plan, if the branch has not been handed out.  If it has,
 * nothing is lost: that branch covers all that it is an initial of (optimal_share.c).
 *
 * A branch that may have to wait (a load that is in a loop, docs/proofs/loops.md) covers no race but its own until its first transition
 * has run.
 *
 * Invariant: a node lives as long as a worker is below it or something is to be handed out; `live` counts the
 * branches under way or to come, where a branch with common nodes in it counts as long as the upper one of these lives.
 */
#include "parallel/jobtree.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/assert.h"
#include "parallel/jobtree_node.h"

static void node_free(struct jobtree *t, struct jobtree_node *n)
{
        jobtree_node_free(n, &t->plans);
        t->n_nodes--;
}

/* One branch of the node is done with. */
static void node_release(struct jobtree *t, struct jobtree_node *n)
{
        while (n && --n->live == 0) {
                struct jobtree_node *parent = n->parent;
                node_free(t, n);
                n = parent;
        }
}

void jobtree_done(struct jobtree *t, const struct jobtree_place *place)
{
        node_release(t, place->node);
        heddle_check(jobtree_check(t));
}

void jobtree_fini(struct jobtree *t)
{
        for (uint32_t i = 0; i < t->waiting.n; i++) {
                struct jobtree_node *n = t->waiting.at[i];
                n->live -= n->branches.n - n->given - 1;
                node_release(t, n);
        }
        vec_fini(&t->waiting);
        wakeup_tree_fini(&t->plans);
}

/* Handing out. */

static bool ready(const struct jobtree *t, const struct jobtree_node *n)
{
        if (t->open && !t->open(t->arg, n->search))
                return false;
        for (uint32_t i = 0; i < n->given; i++)
                if (!n->branches.at[i].known)
                        return false;
        return true;
}

bool jobtree_has(const struct jobtree *t)
{
        for (uint32_t i = 0; i < t->waiting.n; i++)
                if (ready(t, t->waiting.at[i]))
                        return true;
        return false;
}

static double weight_of(const struct jobtree_node *n)
{
        double weight = 1;

        for (; n; n = n->parent)
                weight /= n->branches.n;
        return weight;
}

double jobtree_weight(const struct jobtree_place *place)
{
        return weight_of(place->node);
}

double jobtree_left(const struct jobtree *t, uint32_t search)
{
        double left = 0;

        for (uint32_t i = 0; i < t->waiting.n; i++)
                if (t->waiting.at[i]->search == search)
                        left += weight_of(t->waiting.at[i]) * (t->waiting.at[i]->branches.n - t->waiting.at[i]->given);
        return left;
}

uint32_t jobtree_search(const struct jobtree *t, uint32_t i)
{
        return t->waiting.at[i]->search;
}

bool jobtree_holds(const struct jobtree *t, uint32_t search)
{
        for (uint32_t i = 0; i < t->waiting.n; i++)
                if (t->waiting.at[i]->search == search)
                        return true;
        return false;
}

void jobtree_drop(struct jobtree *t, uint32_t search)
{
        for (uint32_t i = t->waiting.n; i-- > 0;) {
                struct jobtree_node *n = t->waiting.at[i];
                uint32_t left = n->branches.n - n->given;

                if (n->search != search)
                        continue;
                t->waiting.at[i] = t->waiting.at[--t->waiting.n];
                n->waits = false;
                while (n->branches.n > n->given)
                        jobtree_branch_fini(&n->branches.at[--n->branches.n], &t->plans);
                n->live -= left - 1;
                node_release(t, n);
        }
        heddle_check(jobtree_check(t));
}

bool jobtree_want(struct jobtree *t, struct jobtree_node *n)
{
        if (n->waits || n->given == n->branches.n)
                return true;
        if (!vec_reserve(&t->waiting, 1))
                return false;
        *vec_push(&t->waiting) = n;
        n->waits = true;
        return true;
}

static void write_task(struct jobtree *t, struct stream *out, const struct jobtree_node *n, uint32_t branch)
{
        struct jobtree_branch *b = &n->branches.at[branch];

        stream_put_u32(out, TASK_BRANCH);
        stream_put_u32(out, n->depth);
        stream_put_u32(out, b->actor);
        stream_put_u32(out, b->waits);
        stream_put_array(out, b->values, b->n_values, sizeof *b->values);
        stream_put_u32(out, branch);
        for (uint32_t i = 0; i < branch; i++) {
                const struct jobtree_branch *s = &n->branches.at[i];

                stream_put_u32(out, s->actor);
                stream_put_array(out, s->values, s->n_values, sizeof *s->values);
                stream_put_array(out, s->footprint, s->n_footprint, sizeof *s->footprint);
                stream_put_u32(out, s->wasted);
        }
        stream_put(out, n->state->at, n->state->n);
        wakeup_tree_put(&t->plans, b->plan, out);
        wakeup_tree_drop_list(&t->plans, b->plan);
        b->plan = 0;
}

/* The shallowest first: most lies below it. */
bool jobtree_give(struct jobtree *t, struct stream *task, struct jobtree_place *place)
{
        uint32_t best = UINT32_MAX;
        struct jobtree_node *n;

        for (uint32_t i = 0; i < t->waiting.n; i++)
                if (ready(t, t->waiting.at[i]) &&
                    (best == UINT32_MAX || t->waiting.at[i]->depth < t->waiting.at[best]->depth))
                        best = i;
        if (best == UINT32_MAX)
                return false;
        n = t->waiting.at[best];
        *place = (struct jobtree_place){n, n->given, n->search};
        write_task(t, task, n, n->given++);
        if (n->given == n->branches.n) {
                n->waits = false;
                t->waiting.at[best] = t->waiting.at[--t->waiting.n];
        }
        heddle_check(jobtree_check(t));
        return true;
}

/* What workers tell. */

/* A branch, as the next one to be handed out or, without `next`, as the last. */
static struct jobtree_branch *add_branch(struct jobtree_node *n, uint32_t actor, bool waits, bool next)
{
        struct jobtree_branch *b;

        if (actor >= WIRE_MAX_THREADS || !vec_reserve(&n->branches, 1))
                return NULL;
        b = vec_push(&n->branches);
        if (next && b > &n->branches.at[n->given]) {
                b = &n->branches.at[n->given];
                memmove(b + 1, b, (n->branches.n - 1 - n->given) * sizeof *b);
        }
        *b = (struct jobtree_branch){.actor = (uint16_t)actor, .waits = waits};
        if (!waits)
                bitset_add(n->back, actor);
        n->live++;
        return b;
}

/* What the first transition of branch `at` was; the actor's next branch, if it has one, is the next to be handed out. */
static bool read_transition(struct jobtree_node *n, uint32_t at, struct stream *in)
{
        uint32_t n_next, *next = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *next, &n_next);
        struct jobtree_branch *b = &n->branches.at[at];

        free(b->values);
        b->values = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *b->values, &b->n_values);
        b->footprint = stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof *b->footprint, &b->n_footprint);
        b->wasted = stream_get_max(in, 1);
        b->known = true;
        b->waits = false;
        bitset_add(b->wasted ? n->wasted : n->back, b->actor);
        if (!in->failed && n_next) {
                b = add_branch(n, b->actor, false, true);
                if (b) {
                        b->values = next;
                        b->n_values = n_next;
                        return true;
                }
        }
        free(next);
        return b && !in->failed;
}

static struct jobtree_node *read_node(struct jobtree *t, struct stream *in, struct jobtree_node *parent, uint32_t depth)
{
        struct jobtree_node *n = calloc(1, sizeof *n);
        uint32_t actor = stream_get_u32(in), n_more;
        bool ok = n && add_branch(n, actor, false, false);

        if (!n)
                return NULL;
        t->n_nodes++;
        n->parent = parent;
        n->depth = depth;
        n->given = 1;
        ok = ok && read_transition(n, 0, in);
        if (ok) {
                stream_get(in, n->back, sizeof n->back);
                stream_get(in, n->wasted, sizeof n->wasted);
        }
        n_more = stream_get_max(in, WIRE_MAX_THREADS);
        for (uint32_t i = 0; i < n_more && ok; i++) {
                uint32_t first = stream_get_u32(in);
                struct jobtree_branch *b = add_branch(n, first, stream_get_max(in, 1), false);
                ok = b && wakeup_tree_get(&t->plans, &b->plan, in);
        }
        if (ok && !in->failed)
                return n;
        node_free(t, n);
        return NULL;
}

static struct jobtree_state *read_state(struct stream *in)
{
        size_t n = in->n - in->pos;
        struct jobtree_state *s = malloc(sizeof *s + n);

        if (s) {
                *s = (struct jobtree_state){.n = n};
                stream_get(in, s->at, n);
        }
        return s;
}

/* The worker's subtree goes over to the lowest of the new nodes, to the branch that it stays in; the upper one takes its
 * place in the node where it was. */
int jobtree_split(struct jobtree *t, struct jobtree_place *place, struct stream *in)
{
        uint32_t n = stream_get_max(in, WIRE_MAX_EVENTS), depth = place->node ? place->node->depth + 1 : 0;
        struct jobtree_node *top = place->node, *low = top, *upper;
        struct jobtree_state *state;

        for (uint32_t i = 0; i < n; i++) {
                struct jobtree_node *node = read_node(t, in, low, depth + i);
                if (!node)
                        return -1;
                node->search = place->search;
                low = node;
        }
        state = read_state(in);
        if (!state || !n)
                return -1;
        for (upper = low; upper != top; upper = upper->parent) {
                upper->state = state;
                state->users++;
                if (!jobtree_want(t, upper))
                        return -1;
        }
        *place = (struct jobtree_place){low, 0, place->search};
        heddle_check(jobtree_check(t));
        return 0;
}

static bool share_bits(const uint64_t *a, const uint64_t *b)
{
        for (uint32_t i = 0; i < SHARE_WORDS; i++)
                if (a[i] & b[i])
                        return true;
        return false;
}

/* Adds a list to the plan of a branch that waits, behind the steps of these actors.  What has no place is omitted. */
static void add_to_plan(struct jobtree *t, struct jobtree_node *n, const uint32_t *way, uint32_t n_way, uint32_t list)
{
        uint32_t k = n->given, *at;

        while (k < n->branches.n && (n->branches.at[k].actor != way[0] || n->branches.at[k].n_values))
                k++;
        at = k < n->branches.n ? &n->branches.at[k].plan : NULL;
        for (uint32_t i = 1; i < n_way && at; i++) {
                uint32_t s = *at;

                while (s && wakeup_tree_at(&t->plans, s)->actor != way[i])
                        s = wakeup_tree_at(&t->plans, s)->next;
                at = s ? &wakeup_tree_at(&t->plans, s)->child : NULL;
        }
        if (!at || !*at) { /* a leaf covers it */
                wakeup_tree_drop_list(&t->plans, list);
                return;
        }
        while (*at && wakeup_tree_at(&t->plans, *at)->actor != wakeup_tree_at(&t->plans, list)->actor)
                at = &wakeup_tree_at(&t->plans, *at)->next;
        if (*at)
                wakeup_tree_drop_list(&t->plans, list);
        else
                *at = list;
}

/* A new branch that begins with the actor; the list is empty, or its first step is the actor's. */
static bool add_planned(struct jobtree *t, struct jobtree_node *n, uint32_t actor, uint32_t list)
{
        bool waits = list && wakeup_tree_at(&t->plans, list)->sure == WAKEUP_WAITS;
        struct jobtree_branch *b = add_branch(n, actor, waits, false);

        if (b && list) {
                b->plan = wakeup_tree_at(&t->plans, list)->child;
                wakeup_tree_drop(&t->plans, list);
        }
        return b && jobtree_want(t, n);
}

/* Is there a branch that has what is to be run?  The actor that goes first may have one of its own that is not known to be possible:
 * if it is, it covers this, and if not, this is not possible either. */
static bool is_covered(const struct jobtree_node *n, const uint64_t *initials, const uint64_t *weak, uint32_t actor)
{
        for (uint32_t i = 0; i < n->branches.n; i++)
                if (n->branches.at[i].actor == actor && n->branches.at[i].waits)
                        return true;
        return share_bits(initials, n->back) || share_bits(weak, n->back) || share_bits(initials, n->wasted);
}

static int take_race(struct jobtree *t, const struct jobtree_place *place, struct stream *in)
{
        uint64_t initials[SHARE_WORDS], weak[SHARE_WORDS];
        uint32_t depth = stream_get_u32(in), actor, list, n_way, *way;
        struct jobtree_node *n = place->node;
        bool ok;

        stream_get(in, initials, sizeof initials);
        stream_get(in, weak, sizeof weak);
        actor = stream_get_max(in, WIRE_MAX_THREADS - 1);
        way = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *way, &n_way);
        ok = wakeup_tree_get(&t->plans, &list, in) && (!n_way || list);
        while (n && n->depth > depth)
                n = n->parent;
        if (!n || n->depth != depth)
                ok = false;
        if (ok && n_way)
                add_to_plan(t, n, way, n_way, list);
        else if (ok && is_covered(n, initials, weak, actor))
                wakeup_tree_drop_list(&t->plans, list);
        else
                ok = ok && add_planned(t, n, actor, list);
        free(way);
        return ok ? 0 : -1;
}

int jobtree_race(struct jobtree *t, const struct jobtree_place *place, struct stream *in)
{
        int e = 0;

        while (!e && !stream_done(in))
                e = take_race(t, place, in);
        heddle_check(e || jobtree_check(t));
        return e;
}

int jobtree_first(struct jobtree *t, const struct jobtree_place *place, struct stream *in)
{
        struct jobtree_node *n = place->node;
        struct jobtree_branch *b = n && place->branch < n->branches.n ? &n->branches.at[place->branch] : NULL;

        if (!b || b->known || !read_transition(n, place->branch, in) || !stream_done(in))
                return -1;
        if (!jobtree_want(t, n))
                return -1;
        heddle_check(jobtree_check(t));
        return 0;
}

static bool branch_holds(const struct jobtree *t, const struct jobtree_node *n, uint32_t i)
{
        const struct jobtree_branch *b = &n->branches.at[i];

        return b->actor < WIRE_MAX_THREADS && (b->waits || bitset_has(b->wasted ? n->wasted : n->back, b->actor)) &&
               b->plan < t->plans.steps.n + 1 && (i < n->given ? !b->plan : !b->known && !b->n_footprint);
}

/* A node with something to hand out, and all those above it. */
static bool node_holds(const struct jobtree *t, const struct jobtree_node *n)
{
        uint32_t below = n->branches.n - n->given;

        if (!n->waits || n->given >= n->branches.n || n->live < below)
                return false;
        for (uint32_t depth = n->depth; n; n = n->parent, depth--) {
                if (n->depth != depth || !n->live || n->given > n->branches.n || !n->state || !n->state->users ||
                    (n->parent && n->parent->search != n->search))
                        return false;
                for (uint32_t i = 0; i < n->branches.n; i++)
                        if (!branch_holds(t, n, i))
                                return false;
        }
        return true;
}

bool jobtree_check(const struct jobtree *t)
{
        if (!wakeup_tree_check(&t->plans) || t->waiting.n > t->n_nodes)
                return false;
        for (uint32_t i = 0; i < t->waiting.n; i++)
                if (!node_holds(t, t->waiting.at[i]))
                        return false;
        return true;
}
