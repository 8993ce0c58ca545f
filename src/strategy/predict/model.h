/*
 * A trace as a partial order that its reorderings keep: what each transition needs before it.
 *
 * A node is a transition.  It needs
 *   - the node before it in its thread; of the first one: the creation of the thread; after a wait: the wakeup;
 *   - of each byte that it reads: the node that wrote it (so that it reads the same value);
 *   - of any other object: the last node that changed it.  Locks are the exception: a node that takes one needs nothing, and
 *     whether the sections of the lock fit together is a question about a set of nodes (closure.h).
 *
 * A set of nodes that is closed under these needs is a vector: of each thread the first so many nodes.  A clock is such a
 * vector.  Invariant: every clock is closed.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_MODEL_H
#define HEDDLE_STRATEGY_PREDICT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "strategy/predict/index_map.h"
#include "trace/trace.h"

#define MODEL_NONE UINT32_MAX

struct model_node {
        uint32_t event, n_events;
        uint32_t before; /* clock: what must be there for it to be the next of its thread */
        uint32_t clock;  /* ... and for it to do the same as in the trace */
        uint32_t index;  /* in its thread, from 1 */
        uint32_t held;   /* locks before it: a list in `held`, index + 1 */
        uint16_t actor;
};

struct model_held { /* a lock that is held */
        uint32_t section;
        uint32_t next; /* index + 1 */
};

struct model_section {             /* a critical section */
        uint32_t lane;             /* while the trace is read */
        uint32_t lock;             /* its object */
        uint32_t acquire, release; /* nodes; release MODEL_NONE: never */
        uint32_t depth;            /* while it is open: how often the lock was taken */
        uint32_t exclusive;        /* the last section of the lane that is exclusive, up to this one: index + 1 */
        bool shared;               /* a read lock */
};

struct model_lane { /* the sections of a thread under a lock */
        uint32_t lock;
        uint32_t id;        /* its index before lanes were sorted */
        uint32_t first, n;  /* in `order` */
        uint32_t exclusive; /* the last exclusive section so far: index + 1 */
        uint16_t actor;
};

struct model_object {
        uint32_t chain; /* the last node that changed it and is neither a lock nor an unlock: + 1 */
        uint32_t last;  /* the last node that changed it: + 1 */
};

struct model_bytes {
        uint32_t writer[8]; /* of each byte of a granule: node + 1 */
};

struct model {
        const struct trace *trace;
        uint32_t width; /* threads */
        VEC(struct model_node) nodes;
        VEC(uint32_t) clocks; /* `width` numbers each; clock 0 is empty */
        VEC(uint32_t) now;    /* of each thread: its clock */
        VEC(uint32_t) tops;   /* of each thread: its last node + 1 */
        VEC(uint32_t) wakes;  /* of each thread: what its next node needs, node + 1 */
        VEC(uint32_t) holds;  /* of each thread: locks, a list in `held` */
        VEC(uint32_t) starts; /* of each thread: its first node in `own`; and where the last one ends */
        VEC(uint32_t) own;    /* the nodes of each thread */
        VEC(struct model_held) held;
        VEC(struct model_section) sections; /* in the order of the trace */
        VEC(struct model_lane) lanes;       /* once the trace is read: by lock */
        VEC(uint32_t) firsts;               /* of each lock: its first lane; and one more */
        VEC(uint32_t) order, moved;         /* the sections of each lane; of each lane that was: where it is now */
        VEC(struct model_object) objects;
        VEC(struct model_bytes) bytes;
        struct index_map object_map, byte_map, lane_map;
        uint32_t fresh; /* clocks from here on belong to the node under way */
};

/* Reads a trace, which must stay.  false: it was not read to its end, but is a model of the part that was. */
bool model_read(struct model *m, const struct trace *t);
void model_fini(struct model *m);
/* Are the clocks closed, and the sections of each lane in the order of the trace? */
bool model_check(const struct model *m);

/* A set gets all that is needed for a node to be next, or the node too. */
void model_add_before(const struct model *m, uint32_t *set, uint32_t node);
void model_add(const struct model *m, uint32_t *set, uint32_t node);

static inline bool model_has(const struct model *m, const uint32_t *set, uint32_t node)
{
        const struct model_node *n = &m->nodes.at[node];

        return set[n->actor] >= n->index;
}

/* The locks that a thread holds after the nodes that a set has of it: a list.  After its last node it is empty: a lock that a thread never
 * gives back is taken by nobody later, or the thread has ended and the lock is robust. */
static inline uint32_t model_open(const struct model *m, const uint32_t *set, uint32_t actor)
{
        uint32_t at = m->starts.at[actor] + set[actor];

        return at < m->starts.at[actor + 1] ? m->nodes.at[m->own.at[at]].held : 0;
}

/* The nodes of a set. */
static inline uint64_t model_size(const struct model *m, const uint32_t *set)
{
        uint64_t n = 0;

        for (uint32_t i = 0; i < m->width; i++)
                n += set[i];
        return n;
}

/* Do they hold a lock that keeps them apart?  The section of the first one, index + 1; 0: no. */
uint32_t model_apart(const struct model *m, uint32_t a, uint32_t b);

#endif
