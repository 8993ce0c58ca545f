/*
 * The part of the search tree that no single worker owns: the nodes above the subtrees that workers explore.
 *
 * A worker gives a part of its subtree back by making the upper nodes of its path common (MESSAGE_SPLIT).  What is left to be
 * run from a common node is handed out branch by branch.  Races that a worker finds with a transition above its own
 * nodes come here (MESSAGE_RACE) and may add a branch; the rules are those of dpor.c.
 *
 *   MESSAGE_SPLIT, MESSAGE_RACE, MESSAGE_FIRST   as in strategy/share.h
 *   MESSAGE_TASK   the kind; for a state: is the first transition of its branch still to be sent?  Then it.  For a branch: as
 *                  in strategy/share.h
 */
#ifndef HEDDLE_PARALLEL_JOBTREE_H
#define HEDDLE_PARALLEL_JOBTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/vec.h"
#include "strategy/dpor/wakeup_tree.h"

enum jobtree_task {
        TASK_ALL,    /* from the beginning */
        TASK_STATE,  /* continue from a stored state; some of the upper nodes may be common */
        TASK_BRANCH, /* one branch of a common node */
};

struct jobtree_node;

struct jobtree {
        VEC(struct jobtree_node *) waiting; /* with a branch to hand out, now or later */
        /* Is this search explored now?  NULL: there is one search only. */
        bool (*open)(const void *arg, uint32_t search);
        const void *arg;
        struct wakeup_tree plans;
        uint32_t n_nodes;
};

/* What a worker is busy with: below which branch of which node.  node NULL: it owns everything above, too. */
struct jobtree_place {
        struct jobtree_node *node;
        uint32_t branch;
        uint32_t search; /* several searches are a tree each, with nodes of their own; 0 where there is one only */
};

void jobtree_fini(struct jobtree *t);

/* For estimates: what part of the tree lies at a place, if all branches of a node are of one size; and what part no worker
 * has yet. */
double jobtree_weight(const struct jobtree_place *place);
double jobtree_left(const struct jobtree *t, uint32_t search);

/* The search that something waits for, of n of them in t->waiting. */
uint32_t jobtree_search(const struct jobtree *t, uint32_t i);
/* Is something of this search to be handed out?  It is not wanted any more: that is dropped. */
bool jobtree_holds(const struct jobtree *t, uint32_t search);
void jobtree_drop(struct jobtree *t, uint32_t search);

/* Is there anything that can be handed out now?  jobtree_give() writes it as a task and says where it is. */
bool jobtree_has(const struct jobtree *t);
bool jobtree_give(struct jobtree *t, struct stream *task, struct jobtree_place *place);

/* Puts a node into `waiting`, if it has a branch to hand out.  false: out of memory. */
bool jobtree_want(struct jobtree *t, struct jobtree_node *n);

/* Messages of a worker at `place`; the place may move down.  0, or -1: the message is malformed, or out of memory. */
int jobtree_split(struct jobtree *t, struct jobtree_place *place, struct stream *in);
int jobtree_race(struct jobtree *t, const struct jobtree_place *place, struct stream *in);
int jobtree_first(struct jobtree *t, const struct jobtree_place *place, struct stream *in);
void jobtree_done(struct jobtree *t, const struct jobtree_place *place);

/* Do the invariants hold?  Nodes that wait have something to hand out, count it as alive, and hang in a tree of one search whose
 * nodes are alive; plans are wakeup trees of branches that were not handed out. */
bool jobtree_check(const struct jobtree *t);

/* The nodes, and n places in them, in a stream, and back (jobtree_state.c).  load: false if the input is malformed,
 * or out of memory; then there are none. */
void jobtree_save(const struct jobtree *t, const struct jobtree_place *places, uint32_t n, struct stream *out);
bool jobtree_load(struct jobtree *t, struct jobtree_place *places, uint32_t n, struct stream *in);
/* Tasks with the nodes, as --save stores them: `add` gets each task, in order, and `put` where it belongs.  false: the same, or `add` said
 * so. */
bool jobtree_load_tasks(struct jobtree *t, bool (*add)(void *arg, const struct stream *task),
                        void (*put)(void *arg, uint32_t i, const struct jobtree_place *place), void *arg,
                        struct stream *in);

#endif
