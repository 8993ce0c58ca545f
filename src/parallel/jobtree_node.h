/*
 * The nodes of jobtree.c and jobtree_state.c: no interface for others.
 */
#ifndef HEDDLE_PARALLEL_JOBTREE_NODE_H
#define HEDDLE_PARALLEL_JOBTREE_NODE_H

#include "base/vec.h"
#include "strategy/dpor/wakeup_tree.h"
#include "strategy/share.h"

/* The state of a worker's strategy, from which all nodes of one split can be reached. */
struct jobtree_state {
        uint32_t users;
        uint32_t mark; /* scratch: its number among those that are stored, 0: none yet */
        size_t n;
        unsigned char at[];
};

struct jobtree_branch {
        uint16_t actor;
        bool known;  /* its first transition has run */
        bool waits;  /* that may have to wait, which is not known yet */
        bool wasted; /* it had to: nothing follows it */
        uint32_t
                *values; /* its choices: those it begins with, and all of them when it is known; none: the actor has one
                           * branch only, or this is its first one */
        uint32_t n_values;
        uint32_t plan; /* until it is handed out */
        struct wire_access *footprint;
        uint32_t n_footprint;
};

struct jobtree_node {
        struct jobtree_node *parent;
        struct jobtree_state *state;
        uint32_t depth, live, given;
        uint32_t search;              /* whose it is */
        uint32_t mark;                /* scratch, as above */
        bool waits;                   /* it is in the list of those with branches to hand out */
        uint64_t back[SHARE_WORDS];   /* actors that have a branch, or had one, which does not have to wait */
        uint64_t wasted[SHARE_WORDS]; /* those that had to */
        VEC(struct jobtree_branch) branches;
};

/* Frees a branch, and a node with all of them, when nothing refers to it any more; their plans are in `plans`. */
void jobtree_branch_fini(struct jobtree_branch *b, struct wakeup_tree *plans);
void jobtree_node_free(struct jobtree_node *n, struct wakeup_tree *plans);

#endif
