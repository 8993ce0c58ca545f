/*
 * A strategy decides which executions are still needed.  It sees finished traces, read-only, and answers with the next
 * schedule; it never touches the target.  Shown the same traces in the same order it must answer alike.
 */
#ifndef HEDDLE_STRATEGY_STRATEGY_H
#define HEDDLE_STRATEGY_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "strategy/estimate.h"
#include "trace/finding.h"
#include "trace/race.h"
#include "trace/trace.h"
#include "wire/wire.h"

/* Preemption points, where transitions are blocks: kinds of operations (WIRE_POINT_*), and places in the code. */
struct point_set {
        uint32_t classes, n_sites;
        const uint64_t *sites;
        uint32_t id; /* of its own, above 0 */
};

/* A schedule under construction: the arrays of the `down` region itself.  What stands in `prefix` is kept from one
 * message to the next, so only the part that differs is written. */
struct schedule {
        struct wire_decision *prefix;
        const void
                *author; /* of what stands in `prefix`: a path (path.h) that writes only what differs; NULL: nobody */
        uint32_t n_prefix;
        uint32_t n_hints; /* in `prefix`, after it */
        struct wire_sleep *sleep;
        uint32_t n_sleep;
        uint32_t n_last; /* decisions of the last transition of the prefix, before which the sleep set holds */
        struct wire_access *footprint;
        uint32_t n_footprint; /* of all of them */
        uint32_t tail;
        uint32_t flags;
        uint32_t tail_depth, tail_steps; /* of WIRE_TAIL_PCT */
        uint64_t run_seed;               /* of a random tail */
        uint64_t focus;                  /* of WIRE_TAIL_FOCUS, with ... */
        const uint32_t *weights;         /* ... these, which stay until the next schedule */
        uint32_t n_weights;
        const struct point_set *points; /* NULL: those of the exploration */
};

struct strategy;

/* Several explorers share one exploration: each owns a subtree, and the nodes above are common (jobtree.h, which has the
 * formats). */
struct share_ops {
        /* Makes the upper nodes of the own subtree common, and writes them with what is to be run from there.  false:
         * there is nothing to give away now. */
        bool (*split)(struct strategy *s, struct stream *out);
        /* Takes over a branch of a common node.  0, or <0. */
        int (*adopt)(struct strategy *s, struct stream *in);
        /* After its first execution: what the transition from the common node was. */
        void (*first)(struct strategy *s, struct stream *out);
        /* Races with transitions from common nodes, to be told and then reset; NULL: there never are any. */
        struct stream *(*races)(struct strategy *s);
        /* Nodes of its path before this one are common. */
        uint32_t (*own)(const struct strategy *s);
};

/* A strategy that is several searches, each over a set of points and known by the set's id, and shared: the coordinator
 * has the strategy, which says what is to be explored, and each explorer a search (deepen_share.c). */
enum plan_state {
        PLAN_OPEN, /* explored, or to be */
        PLAN_HELD, /* not now */
        PLAN_OVER, /* not any more */
};

struct plan_ops {
        /* What an explorer runs: one search after the other; NULL: out of memory. */
        struct strategy *(*explorer)(void);
        /* Takes the searches under way out of the strategy: f() gets the state of each.  false: f() said so. */
        bool (*hand_over)(struct strategy *s, bool (*f)(void *arg, uint32_t search, const struct stream *state),
                          void *arg);
        /* The search for somebody who has nothing to do, *fresh: from its beginning; 0: none now. */
        uint32_t (*pick)(struct strategy *s, bool *fresh, bool *failed);
        enum plan_state (*state)(const struct strategy *s, uint32_t search);
        /* Explorers have run so much of a search, and so much of its tree is done. */
        void (*spent)(struct strategy *s, uint32_t search, uint64_t runs, double seconds, double share);
        void (*done)(struct strategy *s, uint32_t search);
        bool (*proven)(const struct strategy *s); /* nothing is left to do */
        /* The set of points goes to an explorer with each task; what its search finds comes back.  <0: it makes no sense. */
        void (*put_set)(const struct strategy *s, uint32_t search, struct stream *out);
        int (*hear)(struct strategy *s, uint32_t search, struct stream *news);
};

struct strategy_ops {
        const char *name;
        /* 1: run this one; 0: the space is covered; -E2BIG: a schedule that the wire cannot hold; <0: out of
         * memory, or a trace that makes no sense.  Asked again without a learn() in between it gives the same one. */
        int (*next)(struct strategy *s, struct schedule *out);
        /* A finished or cut execution of the schedule that next() gave last.  0; 1: it is redundant, an equivalent one was
         * learnt before; or <0. */
        int (*learn)(struct strategy *s, const struct trace *t);
        /* How many entries of the next trace are a replay of what learn() has already seen. */
        uint32_t (*known)(const struct strategy *s);
        /* Forget everything: the set of shared addresses has grown. */
        void (*reset)(struct strategy *s);
        /* Writes all that decides what next() will give, and takes it back: 0, or <0 when what is read makes no sense
         * (then reset() is due).  What is read may come from a stranger.  NULL: cannot be stored. */
        void (*save)(const struct strategy *s, struct stream *out);
        int (*load)(struct strategy *s, struct stream *in);
        /* For estimates (estimate.h), NULL if it walks no tree: the length of the path of the execution that was learnt
         * last, and the node where it left the one before; and one node of it. */
        uint32_t (*path)(const struct strategy *s, uint32_t *branch);
        struct estimate_level (*level)(const void *strategy, uint32_t i);
        /* Of a strategy that chooses points itself, else NULL: the table of races after an execution was learnt, 0 or <0 (-E2BIG: too many places); then
         * whether the execution failed and the exploration goes on; and all sets of points, for the report. */
        int (*raced)(struct strategy *s, const struct race *races, uint32_t n);
        void (*judged)(struct strategy *s, bool failed);
        void (*tell)(const struct strategy *s, void (*f)(void *arg, const struct point_set_told *told), void *arg);
        void (*destroy)(struct strategy *s);
        const struct share_ops *share; /* NULL: cannot be shared */
        const struct plan_ops *plan;   /* NULL: it is one search */
        /* Of an explorer's search of a plan, else NULL: the set that comes with a task, 0 or <0; what is to be told, then
         * reset. */
        int (*take_set)(struct strategy *s, struct stream *in);
        struct stream *(*news)(struct strategy *s);
};

struct strategy {
        const struct strategy_ops *ops;
        bool looking;         /* the execution that next() gave is no part of the figures: it only looks for failures */
        bool found;           /* a failure is known: no more such looks are needed */
        uint64_t cut;         /* executions left out because of ... */
        uint32_t bound;       /* ... this number of preemptions, in the search under way */
        uint32_t trees;       /* that are done; estimates are of the one after them ... */
        uint32_t trees_bound; /* ... which has fewer preemptions than this; 0: any number */
        uint32_t proven;      /* so many bounds are done, from 0 preemptions on: nothing is left within them */
        enum reason partial;  /* why it is not everything when next() says that the space is covered; 0: it is */
        const char *partial_detail; /* of the reason, or NULL */
};

struct config;

/* The strategy that was asked for; NULL: out of memory.  blocks: as below. */
struct strategy *strategy_create(const struct config *config, bool blocks);

/* bound: at most so many preemptions, STRATEGY_UNBOUNDED: any number. */
#define STRATEGY_UNBOUNDED UINT32_MAX
struct strategy *dfs_create(uint32_t bound);
struct strategy *dpor_create(void);
/* All executions that begin with these n decisions, which must stay where they are. */
struct strategy *dpor_create_from(const struct wire_decision *root, uint32_t n);
/* Must a bounded search do without reduction?  Then it is told that transitions are blocks. */
bool strategy_unreduced(const struct config *config, bool blocks);

/* At most `first` preemptions, then one more, up to `last`.  blocks: as below. */
struct strategy *icb_create(uint32_t first, uint32_t last, bool blocks);
/* From 0 preemptions on, from 2 on in steps of two: all that is within a bound is run again for the next one. */
struct strategy *icb_create_quick(bool blocks);
/* blocks: a transition is all that a thread does between two points, with branches in it. */
struct strategy *optimal_create(bool blocks);

/* Verification by a strategy, which it owns, with quick looks: at few preemptions, and at random schedules of that seed. */
struct strategy *auto_create(struct strategy *verify, bool blocks, uint64_t seed);

/* Random schedules of this tail policy (enum wire_tail), one seed each, drawn from `seed`; as many as `budget` says, 0: no
 * end.  `depth` is that of WIRE_TAIL_PCT. */
struct strategy *random_create(uint32_t tail, uint64_t seed, uint32_t depth, uint64_t budget);
/* To those of WIRE_TAIL_FOCUS: an execution, whosever it is, from which it is learnt what there is to focus on.  0, or out of
 * memory. */
int random_show(struct strategy *s, const struct trace *t);

#endif
