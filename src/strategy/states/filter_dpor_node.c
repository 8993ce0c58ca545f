/* The tree of the dpor filter.  Nodes without a reference are freed immediately, so what is kept leads to something to be
 * run. */
#include "strategy/states/filter_dpor_node.h"

#include <stdlib.h>
#include <string.h>

#include "base/stored.h"
#include "strategy/dpor/path.h"

void dpor_nodes_init(struct dpor_nodes *t)
{
        *t = (struct dpor_nodes){.unused = FILTER_NONE};
}

static void node_fini(struct dpor_node *n)
{
        for (uint32_t i = 0; i < n->n_branches; i++) {
                free(n->branches[i].values);
                free(n->branches[i].acc);
        }
        free(n->branches);
        free(n->slept);
        *n = (struct dpor_node){0};
}

void dpor_nodes_reset(struct dpor_nodes *t)
{
        for (uint32_t i = 0; i < t->all.n; i++)
                node_fini(&t->all.at[i]);
        t->all.n = 0;
        t->unused = FILTER_NONE;
}

void dpor_nodes_fini(struct dpor_nodes *t)
{
        dpor_nodes_reset(t);
        vec_fini(&t->all);
}

uint32_t dpor_node_new(struct dpor_nodes *t, uint32_t parent, uint32_t place)
{
        uint32_t i = t->unused;

        if (i != FILTER_NONE) {
                t->unused = t->all.at[i].parent;
        } else {
                if (!vec_reserve(&t->all, 1))
                        return FILTER_NONE;
                i = t->all.n++;
        }
        t->all.at[i] = (struct dpor_node){.users = 1, .parent = parent, .place = place};
        if (parent != FILTER_NONE) {
                t->all.at[parent].users++;
                t->all.at[i].depth = t->all.at[parent].depth + 1;
        }
        return i;
}

void dpor_node_put(struct dpor_nodes *t, uint32_t node)
{
        while (node != FILTER_NONE && --t->all.at[node].users == 0) {
                uint32_t parent = t->all.at[node].parent;

                node_fini(&t->all.at[node]);
                t->all.at[node].parent = t->unused;
                t->unused = node;
                node = parent;
        }
}

static bool copy_values(struct dpor_branch *b, const uint32_t *values, uint32_t n)
{
        uint32_t *copy = n ? malloc(n * sizeof *copy) : NULL;

        if (n && !copy)
                return false;
        if (n)
                memcpy(copy, values, n * sizeof *copy);
        free(b->values);
        b->values = copy;
        b->n_values = n;
        return true;
}

bool dpor_branch_add(struct dpor_node *n, uint32_t actor, const uint32_t *values, uint32_t n_values)
{
        uint32_t room = n->n_branches ? 2 * n->n_branches : 1;
        struct dpor_branch *b;

        if ((n->n_branches & (n->n_branches - 1)) == 0) {
                b = realloc(n->branches, room * sizeof *b);
                if (!b)
                        return false;
                n->branches = b;
        }
        b = &n->branches[n->n_branches];
        *b = (struct dpor_branch){.actor = (uint16_t)actor};
        if (!copy_values(b, values, n_values))
                return false;
        n->n_branches++;
        return true;
}

uint32_t dpor_branch_enter(struct dpor_node *n, uint32_t actor, bool values)
{
        struct dpor_branch b;

        for (uint32_t i = n->given; i < n->n_branches; i++)
                if (n->branches[i].actor == actor && (n->branches[i].n_values > 0) == values) {
                        b = n->branches[i];
                        n->branches[i] = n->branches[n->given];
                        n->branches[n->given] = b;
                        return n->given++;
                }
        return FILTER_NONE;
}

bool dpor_branch_any(const struct dpor_node *n, uint32_t actor)
{
        for (uint32_t i = 0; i < n->n_branches; i++)
                if (n->branches[i].actor == actor)
                        return true;
        return false;
}

bool dpor_branch_set(struct dpor_branch *b, const uint32_t *values, uint32_t n_values, const struct wire_access *acc,
                     uint32_t n, bool more)
{
        free(b->acc); /* one that waits has none, unless it was read so */
        b->acc = malloc((n + 1) * sizeof *acc);
        if (!b->acc || !copy_values(b, values, n_values))
                return false;
        if (n)
                memcpy(b->acc, acc, n * sizeof *acc);
        b->n_acc = n;
        b->known = true;
        b->more = more;
        return true;
}

/* Have all branches of the actor been run among the first `place` of all? */
static bool is_whole(const struct dpor_node *n, uint32_t place, uint32_t actor)
{
        bool last = false;

        for (uint32_t i = 0; i < place; i++) {
                if (n->branches[i].actor != actor)
                        continue;
                if (!n->branches[i].known)
                        return false;
                last |= !n->branches[i].more;
        }
        return last;
}

int dpor_node_asleep(const struct dpor_node *n, uint32_t place, uint32_t actor,
                     int (*f)(void *arg, const struct dpor_branch *b), void *arg)
{
        int r = 1;

        for (uint32_t i = 0; i < place && r > 0; i++) {
                const struct dpor_branch *b = &n->branches[i];

                if (b->actor == actor || b->more || !is_whole(n, place, b->actor))
                        continue; /* each actor once, at its last branch */
                for (uint32_t k = 0; k <= i && r > 0; k++)
                        if (n->branches[k].actor == b->actor)
                                r = f(arg, &n->branches[k]);
        }
        return r;
}

/* Streams. */

void dpor_nodes_save(const struct dpor_nodes *t, struct stream *out)
{
        stream_put_u32(out, t->all.n);
        for (uint32_t i = 0; i < t->all.n; i++) {
                const struct dpor_node *n = &t->all.at[i];
                uint32_t head[] = {n->users != 0, n->parent, n->place, n->depth, n->given};

                stream_put(out, head, sizeof head);
                stream_put_array(out, n->slept, n->n_slept, sizeof *n->slept);
                stream_put_u32(out, n->n_branches);
                for (uint32_t k = 0; k < n->n_branches; k++) {
                        const struct dpor_branch *b = &n->branches[k];
                        uint32_t words[] = {b->actor, b->known | b->more << 1 | b->gone << 2};

                        stream_put(out, words, sizeof words);
                        stream_put_array(out, b->values, b->n_values, sizeof *b->values);
                        stream_put_array(out, b->acc, b->n_acc, sizeof *b->acc);
                }
        }
}

static bool get_branches(struct dpor_node *n, struct stream *in)
{
        uint32_t count = stream_get_count(in, STORED_MAX, 4 * sizeof(uint32_t)), words[2];

        for (uint32_t k = 0; k < count; k++) {
                struct dpor_branch *b;

                stream_get(in, words, sizeof words);
                if (in->failed || words[0] >= WIRE_MAX_THREADS || words[1] > 7 ||
                    !dpor_branch_add(n, words[0], NULL, 0))
                        return false;
                b = &n->branches[k];
                b->known = words[1] & 1;
                b->more = words[1] >> 1 & 1;
                b->gone = words[1] >> 2;
                b->values = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *b->values, &b->n_values);
                b->acc = stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof *b->acc, &b->n_acc);
                if (in->failed || !path_accesses_valid(b->acc, b->n_acc))
                        return false;
        }
        return n->given <= n->n_branches;
}

static bool get_node(struct dpor_node *n, struct stream *in)
{
        uint32_t head[5];

        stream_get(in, head, sizeof head);
        *n = (struct dpor_node){
                .users = head[0] ? 1 : 0, .parent = head[1], .place = head[2], .depth = head[3], .given = head[4]};
        n->slept = stream_get_array(in, WIRE_MAX_THREADS, sizeof *n->slept, &n->n_slept);
        return get_branches(n, in) && !in->failed;
}

/* Every index leads to a node or branch, and depths count down to 0, so paths end. */
static bool valid(const struct dpor_nodes *t, const struct dpor_node *n)
{
        const struct dpor_node *parent = n->parent < t->all.n ? &t->all.at[n->parent] : NULL;

        if (!n->users)
                return !n->n_branches && !n->n_slept;
        for (uint32_t k = 0; k < n->n_slept; k++)
                if (n->slept[k].node >= t->all.n || n->slept[k].actor >= WIRE_MAX_THREADS)
                        return false;
        if (n->parent == FILTER_NONE)
                return n->depth == 0;
        return parent && parent->users && n->depth == parent->depth + 1 && n->place < parent->given;
}

bool dpor_nodes_load(struct dpor_nodes *t, struct stream *in, const uint32_t *held, uint32_t n)
{
        uint32_t count;

        dpor_nodes_reset(t);
        count = stream_get_count(in, STORED_MAX, 7 * sizeof(uint32_t));
        if (!vec_reserve(&t->all, count + 1))
                return false;
        while (t->all.n < count)
                if (!get_node(vec_push(&t->all), in))
                        return false;
        for (uint32_t i = 0; i < count; i++)
                if (!valid(t, &t->all.at[i]))
                        return false;
        for (uint32_t i = 0; i < n; i++) {
                if (held[i] >= count || !t->all.at[held[i]].users)
                        return false;
                t->all.at[held[i]].users++;
        }
        for (uint32_t i = 0; i < count; i++)
                if (t->all.at[i].users && t->all.at[i].parent != FILTER_NONE)
                        t->all.at[t->all.at[i].parent].users++;
        for (uint32_t i = 0; i < count; i++) {
                if (t->all.at[i].users) {
                        dpor_node_put(t, i); /* nodes without another reference are freed */
                } else {
                        t->all.at[i].parent = t->unused;
                        t->unused = i;
                }
        }
        return true;
}
