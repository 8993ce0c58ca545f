/*
 * Common nodes in a stream.
 *
 * Parents come before their children.  How many live below a node is not stored but counted again: a branch that waits,
 * a node, or a worker.
 */
#include <stdlib.h>

#include "base/assert.h"
#include "parallel/jobtree.h"
#include "parallel/jobtree_node.h"

#define MAX_TASKS (1u << 20)

typedef VEC(struct jobtree_node *) node_list;

/* Adds a node and those above it that are not there yet, parents first. */
static bool collect(node_list *all, struct jobtree_node *n)
{
        uint32_t first = all->n;

        for (; n && !n->mark; n = n->parent) {
                if (!vec_reserve(all, 1))
                        return false;
                *vec_push(all) = n;
                n->mark = 1;
        }
        for (uint32_t i = first, k = all->n; i + 1 < k; i++) {
                struct jobtree_node *other = all->at[--k];
                all->at[k] = all->at[i];
                all->at[i] = other;
        }
        for (uint32_t i = first; i < all->n; i++)
                all->at[i]->mark = i + 1;
        return true;
}

static void put_node(const struct jobtree *t, const struct jobtree_node *n, uint32_t *n_states, struct stream *out)
{
        bool fresh = !n->state->mark;

        stream_put_u32(out, n->parent ? n->parent->mark : 0);
        stream_put_u32(out, n->given);
        stream_put_u32(out, n->search);
        stream_put(out, n->back, sizeof n->back);
        stream_put(out, n->wasted, sizeof n->wasted);
        stream_put_u32(out, n->branches.n);
        for (uint32_t i = 0; i < n->branches.n; i++) {
                const struct jobtree_branch *b = &n->branches.at[i];
                uint32_t head[] = {b->actor, b->known, b->waits, b->wasted};

                stream_put(out, head, sizeof head);
                stream_put_array(out, b->values, b->n_values, sizeof *b->values);
                stream_put_array(out, b->footprint, b->n_footprint, sizeof *b->footprint);
                wakeup_tree_put(&t->plans, b->plan, out);
        }
        if (fresh)
                n->state->mark = ++*n_states;
        stream_put_u32(out, n->state->mark);
        if (fresh)
                stream_put_array(out, n->state->at, (uint32_t)n->state->n, 1);
}

void jobtree_save(const struct jobtree *t, const struct jobtree_place *places, uint32_t n, struct stream *out)
{
        node_list all = {0};
        uint32_t n_states = 0;
        bool ok = true;

        for (uint32_t i = 0; i < n; i++)
                ok = ok && collect(&all, places[i].node);
        for (uint32_t i = 0; i < t->waiting.n; i++)
                ok = ok && collect(&all, t->waiting.at[i]);
        out->failed |= !ok;
        stream_put_u32(out, all.n);
        for (uint32_t i = 0; i < all.n; i++)
                put_node(t, all.at[i], &n_states, out);
        for (uint32_t i = 0; i < n; i++) {
                stream_put_u32(out, places[i].node ? places[i].node->mark : 0);
                stream_put_u32(out, places[i].branch);
                stream_put_u32(out, places[i].search);
        }
        for (uint32_t i = 0; i < all.n; i++)
                all.at[i]->mark = all.at[i]->state->mark = 0;
        vec_fini(&all);
}

static bool get_branches(struct jobtree *t, struct jobtree_node *n, struct stream *in)
{
        uint32_t count = stream_get_max(in, 1u << 20);

        if (n->given > count)
                return false;
        for (uint32_t i = 0; i < count; i++) {
                struct jobtree_branch *b;
                uint32_t head[4];

                if (!vec_reserve(&n->branches, 1))
                        return false;
                stream_get(in, head, sizeof head);
                b = vec_push(&n->branches);
                *b = (struct jobtree_branch){
                        .actor = (uint16_t)head[0], .known = head[1] & 1, .waits = head[2] & 1, .wasted = head[3] & 1};
                b->values = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *b->values, &b->n_values);
                b->footprint = stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof *b->footprint, &b->n_footprint);
                if (in->failed || head[0] >= WIRE_MAX_THREADS || !wakeup_tree_get(&t->plans, &b->plan, in))
                        return false;
        }
        n->live = count - n->given;
        return true;
}

static bool get_state(const node_list *all, struct jobtree_node *n, uint32_t *n_states, struct stream *in)
{
        uint32_t mark = stream_get_u32(in), size;

        for (uint32_t i = 0; i + 1 < all->n && mark && mark <= *n_states && !n->state; i++)
                if (all->at[i]->state->mark == mark)
                        n->state = all->at[i]->state;
        if (!n->state) {
                size = stream_get_count(in, UINT32_MAX - 1, 1);
                n->state = mark == *n_states + 1 && !in->failed ? calloc(1, sizeof *n->state + size) : NULL;
                if (!n->state)
                        return false;
                n->state->mark = ++*n_states;
                n->state->n = size;
                stream_get(in, n->state->at, size);
        }
        n->state->users++;
        return true;
}

static bool get_node(struct jobtree *t, node_list *all, uint32_t *n_states, struct stream *in)
{
        struct jobtree_node *n = vec_reserve(all, 1) ? calloc(1, sizeof *n) : NULL;
        uint32_t parent = stream_get_max(in, all->n);

        if (!n)
                return false;
        t->n_nodes++;
        *vec_push(all) = n;
        n->given = stream_get_u32(in);
        n->search = stream_get_u32(in);
        stream_get(in, n->back, sizeof n->back);
        stream_get(in, n->wasted, sizeof n->wasted);
        if (!get_branches(t, n, in) || !get_state(all, n, n_states, in))
                return false;
        if (parent) {
                n->parent = all->at[parent - 1];
                n->parent->live++;
                n->depth = n->parent->depth + 1;
        }
        return !in->failed;
}

static bool get_places(const node_list *all, struct jobtree_place *places, uint32_t n, struct stream *in)
{
        for (uint32_t i = 0; i < n; i++) {
                uint32_t mark = stream_get_max(in, all->n), branch = stream_get_u32(in), search = stream_get_u32(in);

                if (mark && branch >= all->at[mark - 1]->given)
                        return false;
                places[i] = (struct jobtree_place){mark ? all->at[mark - 1] : NULL, branch, search};
                if (mark)
                        all->at[mark - 1]->live++;
        }
        return !in->failed;
}

bool jobtree_load(struct jobtree *t, struct jobtree_place *places, uint32_t n, struct stream *in)
{
        node_list all = {0};
        uint32_t count = stream_get_max(in, 1u << 24), n_states = 0;
        bool ok = true;

        for (uint32_t i = 0; i < count && ok; i++)
                ok = get_node(t, &all, &n_states, in);
        ok = ok && get_places(&all, places, n, in);
        for (uint32_t i = 0; i < all.n; i++) {
                ok = ok && all.at[i]->live && jobtree_want(t, all.at[i]);
                if (all.at[i]->state)
                        all.at[i]->state->mark = 0;
        }
        if (!ok) {
                vec_fini(&t->waiting);
                for (uint32_t i = all.n; i-- > 0; t->n_nodes--)
                        jobtree_node_free(all.at[i], &t->plans);
        }
        vec_fini(&all);
        heddle_check(!ok || jobtree_check(t));
        return ok;
}

bool jobtree_load_tasks(struct jobtree *t, bool (*add)(void *arg, const struct stream *task),
                        void (*put)(void *arg, uint32_t i, const struct jobtree_place *place), void *arg,
                        struct stream *in)
{
        uint32_t n = stream_get_max(in, MAX_TASKS);
        struct jobtree_place *places = calloc(n + 1, sizeof *places);
        bool ok = places != NULL;

        for (uint32_t i = 0; i < n && ok; i++) {
                uint32_t size = stream_get_count(in, UINT32_MAX - 1, 1);
                struct stream task = {.at = in->at + in->pos, .n = size};

                ok = !in->failed && size && add(arg, &task);
                in->pos += size;
        }
        ok = ok && jobtree_load(t, places, n, in) && stream_done(in);
        for (uint32_t i = 0; i < n && ok; i++)
                put(arg, i, &places[i]);
        free(places);
        return ok;
}
