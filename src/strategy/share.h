/*
 * How several workers share one strategy.
 *
 * Each worker owns a subtree, and the nodes above are common (parallel/jobtree.h).  A worker gives a part of its subtree back
 * by making the upper nodes of its path common; what is left to be run from a common node is handed out branch by branch.
 * The formats, which a strategy writes and the tree of common nodes reads, or the other way round:
 *
 *   split   n, then n nodes from above to below: the actor of the branch that the worker stays in; what `first` says of its
 *           transition; a bit for every actor with which a branch begins there, and for each one that had to wait; the actors
 *           still to be handed out, each with whether it may have to wait, and its plan.  Then the strategy's state (its save()).
 *   branch  the depth of its node, its actor, whether it may have to wait, choices to begin with, the branches that sleep beside
 *           those in the state, each with its actor, choices, footprint, and whether it had to wait.  Then the strategy's state, and the
 *           plan of the branch.
 *   race    for each race the depth of the node, initials, weak initials, the actor to add, and what to run (with optimal):
 *           the actors of the steps that it comes after, and its steps
 *   first   the choices of the actor's next branch, none: it has no more; the choices of this one, its footprint, and whether it
 *           had to wait
 *
 * The plan of a branch is what must be run in it, a list of wakeup_tree.h; empty with dfs and dpor.
 */
#ifndef HEDDLE_STRATEGY_SHARE_H
#define HEDDLE_STRATEGY_SHARE_H

#include "strategy/strategy.h"

#define SHARE_WORDS (WIRE_MAX_THREADS / 64) /* of a set of actors, in all formats */

struct share_ops {
        /* Makes the upper nodes of the own subtree common, and writes them with what is to be run from there.  false:
         * there is nothing to give away now. */
        bool (*split)(struct strategy *s, struct stream *out);
        /* Before a split, where no worker hears of later races: adds branches, to the nodes that will be common, which races are likely
         * to call for.  The trace is that of the path, with enabled sets.  NULL: all branches are there anyway.  false: out of
         * memory. */
        bool (*seed)(struct strategy *s, const struct trace *t);
        /* Would a split now cost no redundant executions?  NULL: it never does. */
        bool (*clean)(const struct strategy *s);
        /* How many actors sleep where the own subtree begins.  NULL: none ever does. */
        uint32_t (*asleep)(const struct strategy *s);
        /* Takes over a branch of a common node.  0, or <0. */
        int (*adopt)(struct strategy *s, struct stream *in);
        /* After its first execution: what the transition from the common node was. */
        void (*first)(struct strategy *s, struct stream *out);
        /* Races with transitions from common nodes, to be sent and then reset; NULL: there never are any. */
        struct stream *(*races)(struct strategy *s);
        /* Nodes of its path before this one are common. */
        uint32_t (*own)(const struct strategy *s);
        /* Of a worker's search of a plan, else NULL.  begin: another search begins; unlike reset(), what is known of races stays.
         * take_set: the set that comes with a task, 0 or <0.  news: what is to be sent, then reset. */
        void (*begin)(struct strategy *s);
        int (*take_set)(struct strategy *s, struct stream *in);
        struct stream *(*news)(struct strategy *s);
};

/* A strategy that is not a tree, but whose executions can be divided: shards and workers on many machines explore a part each, without
 * talking to each other. */
typedef bool parts_take(void *arg, const struct stream *state, double size);

struct parts_ops {
        /* Divides what is left into at most n disjoint parts, at least one: take() gets the state of each (as save() writes it), and how
         * large it seems beside the others.  The strategy itself stays as it is.  The same strategy is divided in the same way.  false:
         * out of memory, or take() said so. */
        bool (*divide)(struct strategy *s, uint32_t n, parts_take *take, void *arg);
};

/* A strategy that is several searches, each over a set of points and known by the set's id: the coordinator has the
 * strategy, which says what is to be explored, and each worker a search (deepening/deepen_share.c). */
enum plan_state {
        PLAN_OPEN, /* explored, or to be */
        PLAN_HELD, /* not now */
        PLAN_OVER, /* not any more */
};

struct plan_ops {
        /* What a worker runs: one search after the other; NULL: out of memory. */
        struct strategy *(*explorer)(void);
        /* Takes the searches under way out of the strategy: f() gets the state of each.  false: f() said so. */
        bool (*hand_over)(struct strategy *s, bool (*f)(void *arg, uint32_t search, const struct stream *state),
                          void *arg);
        /* The search for a worker that has nothing to do, *fresh: from its beginning; 0: none now. */
        uint32_t (*pick)(struct strategy *s, bool *fresh, bool *failed);
        enum plan_state (*state)(const struct strategy *s, uint32_t search);
        /* Workers have run so much of a search, and so much of its tree is done. */
        void (*spent)(struct strategy *s, uint32_t search, uint64_t runs, double seconds, double share);
        void (*done)(struct strategy *s, uint32_t search);
        bool (*proven)(const struct strategy *s); /* nothing is left to do */
        /* The set of points goes to a worker with each task; what its search finds comes back.  <0: it is malformed. */
        void (*put_set)(const struct strategy *s, uint32_t search, struct stream *out);
        int (*hear)(struct strategy *s, uint32_t search, struct stream *news);
};

#endif
