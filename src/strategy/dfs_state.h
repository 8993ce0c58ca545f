/*
 * The path of dfs.c, shared with what hands parts of it to other workers (dfs_share.c): no interface for others.
 *
 * A stack with one node per transition of the last execution: what ran there, and which enabled actors are still to be tried.
 *
 *     nodes:   0 . . . . . branch . . . . . n
 *              `-- replayed --'   `-- new --'
 */
#ifndef HEDDLE_STRATEGY_DFS_STATE_H
#define HEDDLE_STRATEGY_DFS_STATE_H

#include "strategy/strategy.h"

/* One transition of the path. */
struct dfs_node {
        uint64_t obj;
        uint32_t entry; /* its first entry in the trace */
        uint32_t choice, next_choice;
        uint32_t spent;    /* preemptions before it */
        uint16_t previous; /* the thread that ran last, if it could continue; else WIRE_NO_ACTOR */
        uint16_t last;     /* ... whether it could or not */
        uint16_t actor;
        uint16_t tried; /* children entered */
        uint8_t op;     /* OP_NONE: not executed yet, so not known */
};

struct dfs {
        struct strategy base;
        struct dfs_node *nodes;
        uint64_t *todo; /* `words` per node: enabled actors not yet tried there */
        uint32_t n, capacity;
        uint32_t words;
        uint32_t n_threads; /* actors from here on are store buffers, which no switch to is a preemption */
        uint32_t branch;    /* the last decision of the schedule given out; nodes below are replayed */
        const struct wire_decision *prefix; /* where the last schedule was written */
        uint32_t written;                   /* decisions in it that agree with the nodes */
        uint32_t own;         /* nodes before this one are common: what else is run from them is others' */
        struct count *values; /* --mcr checked: counts combinations of values read; else NULL */
        bool started;
        bool given;  /* next() gave out a schedule that learn() has not seen the trace of */
        bool loaded; /* ... and no trace has been seen since the path was loaded */
};

static inline struct dfs *dfs_of(struct strategy *s)
{
        return (struct dfs *)s;
}

static inline uint64_t *dfs_todo(const struct dfs *d, uint32_t i)
{
        return d->todo + (size_t)i * d->words;
}

/* Makes room for one more node.  0, or -ENOMEM. */
int dfs_reserve(struct dfs *d);

/* strategy_ops.reset, and as in persist_ops. */
void dfs_reset(struct strategy *s);
void dfs_save(const struct strategy *s, struct stream *out);
int dfs_load(struct strategy *s, struct stream *in);
/* The first n nodes, the transition of the last one included, in a stream. */
void dfs_save_upto(const struct dfs *d, uint32_t n, struct stream *out);

#endif
