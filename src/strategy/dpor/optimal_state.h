/*
 * The state of optimal.c, shared with what reverses races in it (reversal.c) and what hands parts of it to other workers
 * (optimal_share.c): no interface for others.
 */
#ifndef HEDDLE_STRATEGY_DPOR_OPTIMAL_STATE_H
#define HEDDLE_STRATEGY_DPOR_OPTIMAL_STATE_H

#include "strategy/dpor/path.h"
#include "strategy/strategy.h"
#include "strategy/dpor/wakeup_tree.h"

struct optimal_race {
        uint32_t i, j;
        uint32_t upto; /* transitions from here on did not matter; CAUSALITY_NONE: all did */
        uint32_t
                beside; /* the number, from 1, of a sleeper of node i that conflicts with nothing in the reversal; 0: none */
        uint32_t waits; /* j may have to wait if it comes before i */
};

/* Of a sleeper: do trees contain all that should wake it? */
enum stale {
        STALE_NOT,
        STALE,
        STALE_BELOW, /* at this node, but not at those after it */
};

struct optimal {
        struct strategy base;
        struct path path;
        struct wakeup_tree wakeup;
        VEC(uint32_t) trees;            /* for each node: what is still to be run from it */
        bool blocks;                    /* transitions have branches in them */
        bool perhaps;                   /* they may have, and none was seen so far */
        uint32_t tree;                  /* of the node that is pushed next */
        uint32_t own;                   /* nodes before this one are common (optimal_share.c) */
        struct stream common;           /* races with their transitions, to be sent */
        VEC(struct optimal_race) races; /* by j */
        VEC(uint32_t) way;              /* scratch: actors of the steps of a tree that a sequence comes after */
        VEC(uint32_t) v;                /* scratch: what comes after i without depending on it */
        uint32_t *need;                 /* scratch, per actor: what is needed of v ends before this transition */
        uint32_t *met;                  /* scratch, per actor: what the tree has of v ends with this transition */
        uint32_t *barred;               /* scratch, per actor: v has nothing from this transition on; NONE: all */
        uint32_t n_actors;              /* room in all three */
};

/* Does transition t depend on i, which comes before it? */
static inline bool optimal_depends(const struct optimal *o, uint32_t i, uint32_t t)
{
        return causality_clock(&o->path.causality, t)[o->path.nodes.at[i].actor] > i;
}

/* The first n nodes, the transition of the last one included, in a stream. */
void optimal_save_upto(const struct optimal *o, uint32_t n, struct stream *out);
/* As in strategy_ops and persist_ops. */
void optimal_reset(struct strategy *base);
int optimal_load(struct strategy *base, struct stream *in);

/* Adds a branch to node i, if it is not there: the actor goes first.  `o` is a struct optimal.  false: out of memory. */
bool optimal_open(void *o, uint32_t i, uint32_t actor);

/* Drops the trees of the nodes from n on. */
void optimal_cut_trees(struct optimal *o, uint32_t n);
/* ... and the races of node n - 1 and later ones. */
void optimal_cut(struct optimal *o, uint32_t n);

#endif
