/*
 * A strategy decides which executions are still needed.  It reads finished traces and answers with the next schedule; it
 * never touches the target.
 *
 * Shown the same traces at the same times it gives the same schedules: it reads no clock (`now` is set by its owner) and
 * draws random numbers from the user's seed only.
 *
 * Every strategy has four functions.  What only some of them can do is an optional table; strategies.def says which can do
 * what before a strategy exists (registry.h).
 */
#ifndef HEDDLE_STRATEGY_STRATEGY_H
#define HEDDLE_STRATEGY_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "strategy/estimate.h"
#include "trace/point_set.h"
#include "trace/prediction.h"
#include "trace/reasons.h"
#include "trace/race.h"
#include "trace/trace.h"
#include "wire/wire.h"

/* Preemption points, where transitions are blocks: kinds of operations (WIRE_POINT_*), and source locations. */
struct point_set {
        uint32_t classes, n_sites;
        const uint64_t *sites;
        uint32_t id; /* unique, above 0 */
};

/* A schedule under construction: the arrays of the `down` region itself.  The contents of `prefix` are kept from one
 * message to the next, so only the part that differs is written. */
struct schedule {
        struct wire_decision *prefix;
        const void *author; /* of the contents of `prefix`: a path (path.h) that writes only what differs; NULL: none */
        uint32_t n_prefix;
        uint32_t n_hints; /* in `prefix`, after it */
        struct wire_sleep *sleep;
        uint32_t n_sleep;
        uint32_t n_last; /* decisions of the last transition of the prefix, before which the sleep set holds */
        struct wire_access *footprint;
        uint32_t n_footprint; /* of all of them */
        uint32_t tail;
        uint32_t flags;
        uint32_t same;                   /* so many decisions in `prefix` are as in the last message, at least */
        uint32_t kept;                   /* ... as in the last message of this author */
        uint32_t known;                  /* so many entries of its trace repeat those that were learnt last */
        uint64_t known_of;               /* ... from the run with this number, 0: from none */
        uint32_t tail_depth, tail_steps; /* of WIRE_TAIL_PCT */
        uint64_t run_seed;               /* of a random tail */
        uint64_t focus;                  /* of WIRE_TAIL_FOCUS, with ... */
        const uint32_t *weights;         /* ... these, which stay until the next schedule */
        uint32_t n_weights;
        const struct point_set *points; /* NULL: those of the exploration */
};

struct strategy;
struct share_ops; /* share.h */
struct plan_ops;
struct parts_ops;

/* Stores a strategy (--save, --jobs). */
struct persist_ops {
        const char *format; /* names what save() writes: load() of another format is never called */
        /* Writes all that decides what next() will give, and takes it back: 0, or <0 when the input is malformed (then
         * reset() is due).  The input is not trusted. */
        void (*save)(const struct strategy *s, struct stream *out);
        int (*load)(struct strategy *s, struct stream *in);
};

/* Shows the search tree, for estimates (estimate.h). */
struct tree_ops {
        /* The length of the path of the execution that was learnt last, and the node where it left the one before. */
        uint32_t (*path)(const struct strategy *s, uint32_t *branch);
        struct estimate_level (*level)(const void *strategy, uint32_t i); /* one node of that path */
};

/* Chooses preemption points.  Called after learn(), in this order: */
struct points_ops {
        /* The table of races: 0 or <0 (-E2BIG: too many source locations). */
        int (*raced)(struct strategy *s, const struct race *races, uint32_t n);
        /* Whether the execution failed and the exploration continues. */
        void (*judged)(struct strategy *s, bool failed);
        /* At the end: all sets of points, for the report.  NULL: a worker's search, which has one. */
        void (*report)(const struct strategy *s, void (*f)(void *arg, const struct point_set_result *set), void *arg);
};

#define STRATEGY_NO_AHEAD UINT32_MAX

struct strategy_ops {
        /* 1: run this one; 0: the space is covered; -E2BIG: a schedule that the wire cannot hold; <0: out of memory, or a
         * malformed trace.  Asked again without a learn() in between it gives the same one.  strategy_next() calls it. */
        int (*next)(struct strategy *s, struct schedule *out);
        /* A finished or cut execution of the schedule that next() gave last.  0; 1: it is redundant, an equivalent one was
         * learnt before; -EAGAIN: begin again, what it took for granted is not so; <0: it must not be asked again. */
        int (*learn)(struct strategy *s, const struct trace *t);
        /* Forgets everything: the set of shared addresses has grown. */
        void (*reset)(struct strategy *s);
        void (*destroy)(struct strategy *s);
        /* A schedule that next() is likely to give soon: the nearest of those that have fewer than `before` decisions in common with
         * the last one.  Writes it (unless `out` is NULL) and says how many they have, or STRATEGY_NO_AHEAD.  NULL: none is known. */
        uint32_t (*ahead)(const struct strategy *s, uint32_t before, struct wire_ahead *out);
        const struct persist_ops *persist; /* NULL: cannot be stored */
        const struct tree_ops *tree;       /* NULL: walks no tree */
        const struct points_ops *points;   /* NULL: runs with the points of the exploration */
        const struct share_ops *share;     /* NULL: cannot be shared */
        const struct plan_ops *plan;       /* NULL: it is one search */
        const struct parts_ops *parts;     /* NULL: cannot be divided without a tree */
};

struct strategy {
        const struct strategy_ops *ops;
        double now; /* the time of the call under way, in seconds; its owner sets it before next(), judged() and a plan's
                        pick() and spent() */
        bool probing;   /* the execution that next() gave is a probe: it counts for failures, not for the figures */
        bool found;     /* a failure is known: no more probes are needed */
        bool raced;     /* a data race is known: probes may show what it does */
        bool unwatched; /* memory accesses of the program are not: probes may meet what no trace shows */
        uint64_t cut;   /* executions that were excluded because of ... */
        uint32_t bound; /* ... this number of preemptions, in the search under way */
        uint32_t trees; /* that are done; estimates are of the one after them ... */
        uint32_t trees_bound; /* ... which has fewer preemptions than this; 0: any number */
        uint32_t proven;      /* so many bounds are done, from 0 preemptions on: nothing is left within them */
        enum reason partial;  /* when next() says 0: why the space is not covered all the same, or REASON_NONE ... */
        const char *
                unmodelled; /* of the execution that was learnt last: what the strategy cannot explore, or NULL; another
                                   one takes its place */
        bool replaceable;   /* that may be so */
        const char *instead;             /* it took the place of the one that was asked for because of this, or NULL */
        bool searches;                   /* next() may take long */
        bool counts_values;              /* it counts combinations of values read: */
        uint64_t value_classes, queries; /* those that were run; questions whether one is possible */
        uint64_t smt_queries;            /* ... that an SMT solver was asked */
        uint64_t reads;                  /* whose values distinguish executions, or have to be kept; in all of them */
        /* --static: does nothing depend on what this access reads or writes?  what: r, w, u (both).  NULL: something does. */
        bool (*irrelevant)(void *sites, const struct wire_event *e, char what);
        void *sites;
        struct prediction_figures *prediction; /* of a strategy that predicts, else NULL; its owner takes them out */
        const char *partial_detail; /* ... with this detail, or NULL; of one that proves nothing: what it has run */
};

/* Asks for the next schedule at this time: as next(). */
static inline int strategy_next(struct strategy *s, struct schedule *out, double now)
{
        s->now = now;
        out->known = 0;
        out->known_of = 0;
        return s->ops->next(s, out);
}

/* The length of the path that was learnt last, as in tree_ops; 0: the strategy walks no tree. */
static inline uint32_t strategy_path(const struct strategy *s, uint32_t *branch)
{
        return s->ops->tree ? s->ops->tree->path(s, branch) : 0;
}

#endif
