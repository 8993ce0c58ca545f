/*
 * Plain depth-first search over all schedules: no reduction at all, hence the oracle for those that reduce.
 *
 * The path is a stack with one node per transition of the last execution: what ran there, and which enabled actors are
 * still to be tried.  next() changes the deepest node that has an alternative left (the same actor with another answer
 * first, then the next actor) and drops the nodes above it; learn() grows the path again from the trace.  Invariant:
 * everything below an alternative that is no longer listed has been executed, and a node's alternatives only shrink.
 *
 *     nodes:   0 . . . . . branch . . . . . n
 *              `-- replayed --'   `-- new --'
 *
 * Leaves out: shared addresses that are found late.  They add transitions to paths already taken, so the loop calls
 * reset() when it meets one.
 */
#include "strategy/strategy.h"
#include "strategy/dpor/wakeup_tree.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/jobtree.h"
#include "op/op.h"

/* One transition of the path. */
struct node {
        uint64_t obj;
        uint32_t entry; /* its first entry in the trace */
        uint32_t choice, next_choice;
        uint32_t spent;    /* preemptions before it */
        uint16_t previous; /* the thread that ran last, if it could go on; else WIRE_NO_ACTOR */
        uint16_t last;     /* ... whether it could or not */
        uint16_t actor;
        uint16_t tried; /* children entered */
        uint8_t op;     /* OP_NONE: not executed yet, so not known */
};

struct dfs {
        struct strategy base;
        struct node *nodes;
        uint64_t *todo; /* `words` per node: enabled actors not yet tried there */
        uint32_t n, capacity;
        uint32_t words;
        uint32_t n_threads; /* actors from here on are store buffers, which no switch to is a preemption */
        uint32_t branch;    /* the last decision of the schedule given out; nodes below are replayed */
        const struct wire_decision *prefix; /* where the last schedule was written */
        uint32_t written;                   /* decisions in it that agree with the nodes */
        uint32_t own; /* nodes before this one are common: what else is run from them is others' */
        bool started;
        bool given;  /* next() gave out a schedule that learn() has not seen the trace of */
        bool loaded; /* ... and no trace has been seen since the path was loaded */
};

static struct dfs *dfs_of(struct strategy *s)
{
        return (struct dfs *)s;
}

/* Makes room for one more node. */
static int nodes_reserve(struct dfs *d)
{
        if (d->n < d->capacity)
                return 0;
        uint32_t capacity = d->capacity ? d->capacity * 2 : 256;
        struct node *nodes = realloc(d->nodes, capacity * sizeof(*nodes));
        if (!nodes)
                return -ENOMEM;
        d->nodes = nodes;
        uint64_t *todo = realloc(d->todo, (size_t)capacity * d->words * sizeof(*todo));
        if (!todo)
                return -ENOMEM;
        d->todo = todo;
        d->capacity = capacity;
        return 0;
}

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

static uint64_t *node_todo(const struct dfs *d, uint32_t i)
{
        return d->todo + (size_t)i * d->words;
}

/* Preemptions after a node if the actor runs there. */
static uint32_t node_spent(const struct dfs *d, const struct node *node, uint32_t actor)
{
        return node->spent + (node->previous != WIRE_NO_ACTOR && node->previous != actor && actor < d->n_threads);
}

static void node_fill(struct node *node, const struct wire_event *e, uint32_t entry)
{
        *node = (struct node){
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
        if (nodes_reserve(d) != 0)
                return -ENOMEM;
        uint64_t *todo = node_todo(d, i);
        memset(todo, 0, d->words * sizeof(*todo));
        memcpy(todo, t->enabled + (size_t)i * t->enabled_words, t->enabled_words * sizeof(*todo));
        if (actor / 64 < d->words)
                todo[actor / 64] &= ~(UINT64_C(1) << (actor % 64));
        d->nodes[i] = (struct node){.previous = WIRE_NO_ACTOR};
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
                struct node *node = &d->nodes[i];
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
        struct node *node = &d->nodes[i];
        uint64_t *todo = node_todo(d, i);
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
                *node = (struct node){
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
                const struct node *node = &d->nodes[i];
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
        out->tail = d->base.bound == STRATEGY_UNBOUNDED ? WIRE_TAIL_RUN_TO_BLOCK : WIRE_TAIL_STAY;
        out->flags = WIRE_WANT_ENABLED;
        return 1;
}

static uint32_t dfs_known(const struct strategy *s)
{
        const struct dfs *d = (const struct dfs *)s;
        return d->n > 0 && !d->loaded ? d->nodes[d->branch].entry : 0;
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
        const struct node *node = &d->nodes[i];
        struct estimate_level l = {.marked = node->tried, .entered = node->tried};
        for (uint32_t w = 0; w < d->words; w++)
                l.marked += (uint32_t)__builtin_popcountll(node_todo(d, i)[w]);
        l.marked += node->next_choice != WIRE_NO_CHOICE;
        return l;
}

static void dfs_reset(struct strategy *s)
{
        struct dfs *d = dfs_of(s);
        d->n = 0;
        d->branch = 0;
        d->written = 0;
        d->own = 0;
        d->started = d->given = d->loaded = false;
        d->base.cut = 0;
}

static void save_upto(const struct dfs *d, uint32_t n, struct stream *out)
{
        stream_put_u32(out, d->started);
        stream_put_u32(out, d->given);
        stream_put_u64(out, d->base.cut);
        stream_put_u32(out, d->words);
        stream_put_u32(out, d->n_threads);
        stream_put_u32(out, d->own);
        stream_put_array(out, d->nodes, n, sizeof(*d->nodes));
        stream_put(out, d->todo, (size_t)n * d->words * sizeof(*d->todo));
}

static void dfs_save(const struct strategy *s, struct stream *out)
{
        const struct dfs *d = (const struct dfs *)s;
        save_upto(d, d->n, out);
}

static bool node_valid(const struct node *node, uint32_t words)
{
        return node->actor < words * 64 && node->op < OP_COUNT && node->entry < WIRE_MAX_EVENTS;
}

static int dfs_load(struct strategy *s, struct stream *in)
{
        struct dfs *d = dfs_of(s);
        dfs_reset(s);
        d->started = stream_get_max(in, 1);
        d->given = stream_get_max(in, 1);
        d->loaded = true;
        d->base.cut = stream_get_u64(in);
        uint32_t words = stream_get_max(in, WIRE_MAX_THREADS / 64);
        d->n_threads = stream_get_max(in, WIRE_MAX_THREADS);
        uint32_t own = stream_get_u32(in), n = stream_get_count(in, WIRE_MAX_EVENTS, sizeof(*d->nodes));
        if (in->failed || (n > 0 && words == 0) || own > n)
                return -EINVAL;
        d->words = words;
        d->n = d->capacity = 0;
        for (uint32_t i = 0; i < n; i++) {
                if (nodes_reserve(d) != 0)
                        return -ENOMEM;
                stream_get(in, &d->nodes[d->n++], sizeof(*d->nodes));
                if (!node_valid(&d->nodes[i], words))
                        return -EINVAL;
        }
        stream_get(in, d->todo, (size_t)n * words * sizeof(*d->todo));
        d->branch = n > 0 ? n - 1 : 0;
        d->own = own;
        return in->failed ? -EINVAL : 0;
}

/* Sharing.  Nobody sleeps and there are no races, so all that is not tried at a node is handed out at once. */

static bool has_more(const struct dfs *d, uint32_t i)
{
        const uint64_t *todo = node_todo(d, i);
        bool more = d->nodes[i].next_choice != WIRE_NO_CHOICE;
        for (uint32_t w = 0; w < d->words; w++)
                more = more || todo[w];
        return more;
}

/* The next answer; nobody need know what this one was and what it touched. */
static void put_transition(const struct node *node, struct stream *out)
{
        stream_put_array(out, &node->next_choice, node->next_choice != WIRE_NO_CHOICE, sizeof node->next_choice);
        stream_put_array(out, NULL, 0, sizeof(uint32_t));
        stream_put_array(out, NULL, 0, sizeof(struct wire_access));
}

static void put_common(const struct dfs *d, uint32_t i, struct stream *out)
{
        const struct node *node = &d->nodes[i];
        uint64_t back[JOBTREE_WORDS] = {0};
        uint32_t n = 0;
        memcpy(back, node_todo(d, i), d->words * sizeof(*back));
        for (uint32_t w = 0; w < d->words; w++)
                n += (uint32_t)__builtin_popcountll(back[w]);
        stream_put_u32(out, node->actor);
        put_transition(node, out);
        stream_put(out, back, sizeof(back));
        stream_put_u32(out, n);
        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = back[w]; b; b &= b - 1) {
                        stream_put_u32(out, w * 64 + (uint32_t)__builtin_ctzll(b));
                        wakeup_put_none(out);
                }
}

static bool dfs_split(struct strategy *s, struct stream *out)
{
        struct dfs *d = dfs_of(s);
        uint32_t k = d->own;
        if (d->given || d->base.bound != STRATEGY_UNBOUNDED)
                return false;
        while (k + 1 < d->n && !has_more(d, k))
                k++;
        if (k + 1 >= d->n)
                return false;
        stream_put_u32(out, k + 1 - d->own);
        for (uint32_t i = d->own; i <= k; i++)
                put_common(d, i, out);
        save_upto(d, k + 1, out);
        d->own = k + 1;
        return true;
}

static int dfs_adopt(struct strategy *s, struct stream *in)
{
        struct dfs *d = dfs_of(s);
        uint32_t depth = stream_get_u32(in), actor = stream_get_u32(in), n_values, n, none;
        uint32_t *values = stream_get_array(in, 1, sizeof *values, &n_values);
        uint32_t choice = n_values ? *values : WIRE_NO_CHOICE;
        free(values);
        n = stream_get_max(in, UINT32_MAX - 1);
        for (uint32_t i = 0; i < n && !in->failed; i++) {
                stream_get_u32(in);
                free(stream_get_array(in, 0, sizeof(uint32_t), &none));
                free(stream_get_array(in, 0, sizeof(struct wire_access), &none));
        }
        if (in->failed || dfs_load(s, in) != 0 || !wakeup_get_none(in) || depth >= d->n || actor >= d->words * 64)
                return -EINVAL;
        d->n = depth + 1;
        d->own = d->n;
        d->branch = depth;
        d->nodes[depth] = (struct node){.previous = WIRE_NO_ACTOR,
                                        .entry = d->nodes[depth].entry,
                                        .choice = choice,
                                        .next_choice = WIRE_NO_CHOICE,
                                        .actor = (uint16_t)actor,
                                        .op = OP_NONE};
        d->started = d->given = true;
        return 0;
}

static void dfs_first(struct strategy *s, struct stream *out)
{
        const struct dfs *d = (const struct dfs *)s;
        put_transition(&d->nodes[d->own - 1], out);
}

static struct stream *dfs_races(struct strategy *s)
{
        (void)s;
        return NULL;
}

static uint32_t dfs_own(const struct strategy *s)
{
        return ((const struct dfs *)s)->own;
}

static const struct share_ops dfs_share = {
        .split = dfs_split,
        .adopt = dfs_adopt,
        .first = dfs_first,
        .races = dfs_races,
        .own = dfs_own,
};

static void dfs_destroy(struct strategy *s)
{
        struct dfs *d = dfs_of(s);
        free(d->nodes);
        free(d->todo);
        free(d);
}

static const struct strategy_ops dfs_ops = {
        .name = "dfs",
        .next = dfs_next,
        .learn = dfs_learn,
        .known = dfs_known,
        .reset = dfs_reset,
        .path = dfs_path,
        .level = dfs_level,
        .save = dfs_save,
        .load = dfs_load,
        .destroy = dfs_destroy,
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
