/*
 * State filters: which states of the search of --strategy filters are checked, and what is run from them.  A filter is
 * a file here and a row in the table (filter_table.c); the user chooses them by name and order (--filters).
 */
#ifndef HEDDLE_STRATEGY_STATES_FILTER_H
#define HEDDLE_STRATEGY_STATES_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "config/config.h"
#include "strategy/strategy.h"
#include "trace/trace.h"

#define FILTER_MAX 8 /* in a chain */

/* A state, represented by the happens-before graph of what led to it. */
struct filter_state {
        uint64_t hash;  /* of that graph; equal for equivalent paths */
        uint32_t depth; /* transitions */
        bool known;     /* the hash is valid */
};

/* What an actor does, or would do next. */
struct filter_move {
        uint16_t actor;
        bool sure; /* it touches nothing else than: */
        const struct wire_access *acc;
        uint32_t n;
};

#define FILTER_NONE UINT32_MAX

/* What was picked from the frontier: a way on from a node. */
struct filter_pick {
        uint32_t node;  /* FILTER_NONE: nothing was, it is the first execution */
        uint32_t depth; /* decisions before it */
        uint32_t choice;
        uint16_t actor;
};

/* A way on that is to be run: the actor, with this answer, from the state before decision i of the execution at hand.
 * false: out of memory. */
typedef bool (*filter_go)(void *arg, uint32_t i, uint32_t node, uint32_t actor, uint32_t choice);

struct filter {
        const struct filter_ops *ops;
};

struct filter_ops {
        const char *name;
        struct filter *(*create)(const struct config *config); /* NULL: out of memory */
        /* A state that was reached.  1: continue from it; 0: nothing need be run from it; <0: out of memory.  NULL: always 1. */
        int (*reached)(struct filter *f, const struct filter_state *s);
        /* A state that could be reached by one more transition: false if it need not.  NULL: always true. */
        bool (*wanted)(struct filter *f, const struct filter_state *s);
        void (*reset)(struct filter *f); /* NULL: it knows nothing */
        /* Writes what it knows, and takes it back: 0, or <0 when the input is malformed or out of memory.  `nodes`: those
         * of open() that are held, once for each time.  NULL: it knows nothing. */
        void (*save)(const struct filter *f, struct stream *out);
        int (*load)(struct filter *f, struct stream *in, const uint32_t *nodes, uint32_t n);
        void (*destroy)(struct filter *f);
        /* For a filter that names states from which actors continue, one by one (one in a chain; elsewhere NULL): there is one
         * holder more, or less. */
        void (*hold)(struct filter *f, uint32_t node);
        void (*put)(struct filter *f, uint32_t node);
        /* For one of these that lets others wait while an actor continues.  open: a state from
         * which all enabled actors continue, one by one; the answer names it, is held by the caller, and FILTER_NONE is out of
         * memory.  may: one of them, and its first move from there.  goes_on: the actor of `last`, alone since then, has come
         * to a state in which `next` is its next move; `enables`: the last one enabled others.  1: the others
         * need not be run from this state; 0: they must; <0: out of memory. */
        uint32_t (*open)(struct filter *f);
        bool (*may)(struct filter *f, uint32_t node, const struct filter_move *m);
        int (*goes_on)(struct filter *f, uint32_t node, const struct filter_move *last, const struct filter_move *next,
                       bool enables);
        /* For one of these that chooses itself which actor continues, having seen executions.  sleep: adds those actors to
         * the schedule that need not go first after the pick: 1, or -E2BIG.  learn: the execution of a pick, which the
         * caller holds; go() is called for each way on that must be run because of it.  0, 1: it is redundant, -ENOMEM, or
         * -EINVAL: it is not an execution of the pick. */
        int (*sleep)(const struct filter *f, const struct filter_pick *pick, struct schedule *out);
        int (*learn)(struct filter *f, const struct filter_pick *pick, const struct trace *t, filter_go go, void *arg);
};

extern const struct filter_ops filter_seen, filter_depth, filter_local_cycle, filter_super_step, filter_dpor;

/* The filter of this name, or NULL; and all names, with spaces between them. */
const struct filter_ops *filter_find(const char *name);
const char *filter_names(void);

/* Why these do not make a chain, or NULL. */
const char *filter_clash(const char *const *names, uint32_t n);

#endif
