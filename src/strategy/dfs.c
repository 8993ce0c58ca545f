/*
 * Plain depth-first search over all schedules: no reduction at all, hence the oracle for those that reduce.
 *
 * next() changes the deepest node of the path (dfs_state.h) that has an alternative left (the same actor with another
 * choice value first, then the next actor) and drops the nodes above it; learn() grows the path again from the trace.
 * Invariant: everything below an alternative that is no longer listed has been executed, and a node's alternatives only
 * shrink.
 *
 * Shared addresses that are found late add transitions to paths already taken, so the loop calls reset() when it finds one.
 */
#include "strategy/dfs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "op/op.h"
#include "strategy/dfs_share.h"
#include "strategy/dfs_state.h"
#include "strategy/makers.h"
#include "strategy/mcr/compare/count.h"

/* The pool of threads has grown: every node's set gets more words. */
static int words_grow(struct dfs *d, uint32_t words)
{
        if (words <= d->words)
                return 0;
        if (d->capacity > 0) {
                uint64_t *todo = calloc((size_t)d->capacity * words, sizeof(*todo));
                if (!todo)
                        return -ENOMEM;
                for (uint32_t i = 0; i < d->n; i++)
                        memcpy(todo + (size_t)i * words, d->todo + (size_t)i * d->words, d->words * sizeof(*todo));
                free(d->todo);
                d->todo = todo;
        }
        d->words = words;
        return 0;
}

/* Preemptions after a node if the actor runs there. */
static uint32_t node_spent(const struct dfs *d, const struct dfs_node *node, uint32_t actor)
{
        return node->spent + (node->previous != WIRE_NO_ACTOR && node->previous != actor && actor < d->n_threads);
}

static void node_fill(struct dfs_node *node, const struct wire_event *e, uint32_t entry)
{
        *node = (struct dfs_node){
                .spent = node->spent,
                .previous = node->previous,
                .last = node->last,
                .tried = node->tried,
                .obj = e->obj,
                .entry = entry,
                .choice = e->choice,
                .next_choice = e->next_choice,
                .actor = e->actor,
                .op = e->op,
        };
}

static int node_push(struct dfs *d, const struct trace *t, uint32_t entry)
{
        uint32_t i = d->n, actor = t->events[entry].actor;
        if (dfs_reserve(d) != 0)
                return -ENOMEM;
        uint64_t *todo = dfs_todo(d, i);
        memset(todo, 0, d->words * sizeof(*todo));
        memcpy(todo, t->enabled + (size_t)i * t->enabled_words, t->enabled_words * sizeof(*todo));
        if (actor / 64 < d->words)
                bitset_remove(todo, actor);
        d->nodes[i] = (struct dfs_node){.previous = WIRE_NO_ACTOR};
        uint32_t before = i ? d->nodes[i - 1].actor : 0; /* the main thread runs before anything is decided */
        d->nodes[i].spent = i ? node_spent(d, &d->nodes[i - 1], before) : 0;
        if (i && before >= d->n_threads)
                before = d->nodes[i - 1].last;
        d->nodes[i].last = (uint16_t)before;
        if (before / 64 < t->enabled_words &&
            t->enabled[(size_t)i * t->enabled_words + before / 64] >> (before % 64) & 1)
                d->nodes[i].previous = (uint16_t)before;
        node_fill(&d->nodes[i], &t->events[entry], entry);
        d->nodes[i].tried = 1;
        d->n++;
        return 0;
}

/* How many nodes of the replayed part the trace agrees with; the last of them, the branch, is learnt on the way. */
static uint32_t match_replay(struct dfs *d, const struct trace *t)
{
        uint32_t i;
        for (i = 0; i < d->n; i++) {
                struct dfs_node *node = &d->nodes[i];
                if (node->entry >= t->n_events || i >= t->n_transitions)
                        break;
                const struct wire_event *e = &t->events[node->entry];
                if (!(e->flags & WIRE_EV_SCHED) || e->actor != node->actor)
                        break;
                if (node->op != OP_NONE && e->op != node->op)
                        break;
                if (node->choice != WIRE_NO_CHOICE && e->choice != node->choice)
                        break;
                if (i == d->branch)
                        node_fill(node, e, node->entry);
        }
        return i;
}

/* May it lack a part of its prefix?  Such an end is reported for what it is, so giving up what lay beyond makes nothing
 * look covered. */
static bool broken_off(const struct trace *t)
{
        switch (t->end) {
        case WIRE_END_DIVERGED:
        case WIRE_END_FAILED:
        case WIRE_END_UNSUPPORTED:
        case WIRE_END_MORE_THREADS:
        case WIRE_END_MORE_STACK:
        case WIRE_END_MISUSE:
        case WIRE_END_FAULT: return true;
        default: return false;
        }
}

static int dfs_learn(struct strategy *s, const struct trace *t)
{
        struct dfs *d = dfs_of(s);
        if (!t->enabled || t->enabled_words == 0)
                return -EINVAL;
        if (words_grow(d, t->enabled_words) != 0)
                return -ENOMEM;
        d->given = d->loaded = false;
        if (d->values)
                count_add(d->values, s, t);
        d->n_threads = trace_threads(t) > d->n_threads ? trace_threads(t) : d->n_threads;
        uint32_t matched = match_replay(d, t), replayed = d->n;
        d->n = matched;
        if (matched < replayed)
                return broken_off(t) ? 0 : -EINVAL;
        for (uint32_t e = d->n > 0 ? d->nodes[d->n - 1].entry + 1 : 0; e < t->n_events; e++) {
                if (!(t->events[e].flags & WIRE_EV_SCHED))
                        continue;
                if (d->n >= t->n_transitions)
                        return -EINVAL;
                if (node_push(d, t, e) != 0)
                        return -ENOMEM;
        }
        return 0;
}

/* Turns a node to its next alternative.  False when it has none. */
static bool node_advance(struct dfs *d, uint32_t i)
{
        struct dfs_node *node = &d->nodes[i];
        uint64_t *todo = dfs_todo(d, i);
        if (node->next_choice != WIRE_NO_CHOICE) {
                node->tried++;
                node->choice = node->next_choice;
                node->next_choice = WIRE_NO_CHOICE;
                node->op = OP_NONE; /* the answer may decide what the operation is */
                node->obj = 0;
                return true;
        }
        for (uint32_t w = 0; w < d->words; w++) {
                if (!todo[w])
                        continue;
                uint32_t bit = (uint32_t)__builtin_ctzll(todo[w]);
                todo[w] &= todo[w] - 1;
                if (node_spent(d, node, w * 64 + bit) > d->base.bound) {
                        d->base.cut++;
                        w--; /* once more */
                        continue;
                }
                *node = (struct dfs_node){
                        .spent = node->spent,
                        .previous = node->previous,
                        .last = node->last,
                        .tried = (uint16_t)(node->tried + 1),
                        .entry = node->entry,
                        .choice = WIRE_NO_CHOICE,
                        .next_choice = WIRE_NO_CHOICE,
                        .actor = (uint16_t)(w * 64 + bit),
                        .op = OP_NONE,
                };
                return true;
        }
        return false;
}

/* Brings the prefix up to date.  Its part below the previous branch has not changed since it was written. */
static void write_prefix(struct dfs *d, struct schedule *out)
{
        uint32_t from = out->prefix == d->prefix ? d->written : 0;
        if (from > d->branch)
                from = d->branch;
        for (uint32_t i = from; i < d->n; i++) {
                const struct dfs_node *node = &d->nodes[i];
                out->prefix[i] = (struct wire_decision){
                        .actor = node->actor,
                        .op = node->op,
                        .choice = node->choice,
                        .obj = node->obj,
                };
        }
        d->prefix = out->prefix;
        d->written = d->branch; /* the branch's own operation is known only when it has run */
}

static int dfs_next(struct strategy *s, struct schedule *out)
{
        struct dfs *d = dfs_of(s);
        if (d->started && !d->given) {
                while (d->n > d->own && !node_advance(d, d->n - 1))
                        d->n--;
                if (d->n == d->own)
                        return 0;
        }
        d->started = d->given = true;
        d->branch = d->n > 0 ? d->n - 1 : 0;
        write_prefix(d, out);
        out->n_prefix = d->n;
        out->n_hints = out->n_sleep = 0;
        out->tail = d->base.bound == BOUND_NONE ? WIRE_TAIL_RUN_TO_BLOCK : WIRE_TAIL_STAY;
        out->flags = WIRE_WANT_ENABLED | WIRE_FAIR | (d->base.bound == BOUND_NONE ? WIRE_CUT_LOOPS : 0);
        out->flags |= d->values ? WIRE_VALUES : 0;
        out->known = d->n > 0 && !d->loaded && !d->values ? d->nodes[d->branch].entry : 0;
        return 1;
}

static uint32_t dfs_path(const struct strategy *s, uint32_t *branch)
{
        const struct dfs *d = (const struct dfs *)s;
        *branch = d->branch;
        return d->n;
}

static struct estimate_level dfs_level(const void *strategy, uint32_t i)
{
        const struct dfs *d = strategy;
        const struct dfs_node *node = &d->nodes[i];
        struct estimate_level l = {.marked = node->tried, .entered = node->tried};
        for (uint32_t w = 0; w < d->words; w++)
                l.marked += (uint32_t)__builtin_popcountll(dfs_todo(d, i)[w]);
        l.marked += node->next_choice != WIRE_NO_CHOICE;
        return l;
}

static void reset(struct strategy *s)
{
        struct dfs *d = dfs_of(s);
        dfs_reset(s);
        s->value_classes = 0;
        if (d->values)
                count_reset(d->values);
}

static void dfs_destroy(struct strategy *s)
{
        struct dfs *d = dfs_of(s);
        count_destroy(d->values);
        free(d->nodes);
        free(d->todo);
        free(d);
}

static const struct persist_ops dfs_persist = {.format = "dfs", .save = dfs_save, .load = dfs_load};
static const struct tree_ops dfs_tree = {.path = dfs_path, .level = dfs_level};

static const struct strategy_ops dfs_ops = {
        .next = dfs_next,
        .learn = dfs_learn,
        .reset = reset,
        .destroy = dfs_destroy,
        .persist = &dfs_persist,
        .tree = &dfs_tree,
        .share = &dfs_share,
};

struct strategy *dfs_create(uint32_t bound)
{
        struct dfs *d = calloc(1, sizeof(*d));
        if (!d)
                return NULL;
        d->base.ops = &dfs_ops;
        d->base.bound = bound;
        return &d->base;
}

struct strategy *dfs_make(const struct config *config, bool blocks)
{
        struct strategy *s = dfs_create(config->bounded ? config->bound : BOUND_NONE);
        bool alone = !config_shared(config) && !config->save && !config->resume;

        (void)blocks;
        if (s && config->mcr == MCR_CHECKED && alone) {
                dfs_of(s)->values = count_create(config);
                s->counts_values = dfs_of(s)->values != NULL;
        }
        return s;
}
