/*
 * The nodes of the dpor filter: states from which something is to be run, or may be because of what is found below them.
 *
 * A node's branches are the actors that go first from there, in the order in which they are run; those from `given` on
 * wait.  In a branch all those sleep whose branches came before it, and those that sleep on arrival.
 *
 *      node --branch--> node --branch--> node        children hold their parents, entries of the frontier the nodes
 *        `--branch (waits)     `--branch (waits)     that they continue from
 */
#ifndef HEDDLE_STRATEGY_STATES_FILTER_DPOR_NODE_H
#define HEDDLE_STRATEGY_STATES_FILTER_DPOR_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/vec.h"
#include "strategy/states/filter.h"
#include "wire/wire.h"

/* An actor goes first; if its transition has choices in it, each list of them is a branch of its own (path.h). */
struct dpor_branch {
        uint32_t *values; /* its choices: those to begin with, and all of them once it was run */
        uint32_t n_values;
        struct wire_access *acc; /* the footprint of its transition, once it was run */
        uint32_t n_acc;
        uint16_t actor;
        bool known; /* it was run; one that was not, because it failed before, does not sleep in other branches */
        bool more;  /* ... and the actor has another branch after it */
        bool gone;  /* to the frontier; others wait there for all branches of an actor that has been run */
};

/* The actor sleeps since that node, with what its branches there touched; some of them were woken if it does so in part. */
struct dpor_sleeper {
        uint32_t node, actor, partial;
};

struct dpor_node {
        uint32_t users;  /* 0: not in use */
        uint32_t parent; /* FILTER_NONE: it is the root; of one not in use: the next such one */
        uint32_t place;  /* the branch of the parent that leads here */
        uint32_t depth;  /* transitions before it; an atomic section is one */
        uint32_t given, n_branches;
        uint32_t n_slept;             /* on arrival */
        struct dpor_branch *branches; /* there is room for a power of two */
        struct dpor_sleeper *slept;
};

struct dpor_nodes {
        VEC(struct dpor_node) all;
        uint32_t unused;
};

void dpor_nodes_init(struct dpor_nodes *t);
void dpor_nodes_reset(struct dpor_nodes *t);
void dpor_nodes_fini(struct dpor_nodes *t);

/* A node below a branch of the parent, held by the caller; FILTER_NONE: out of memory. */
uint32_t dpor_node_new(struct dpor_nodes *t, uint32_t parent, uint32_t place);
void dpor_node_put(struct dpor_nodes *t, uint32_t node);

/* One more branch, which waits, and begins with these choices; and the first that waits for this actor, with choices or
 * without, becomes the next that was run: its place, or FILTER_NONE: there is none. */
bool dpor_branch_add(struct dpor_node *n, uint32_t actor, const uint32_t *values, uint32_t n_values);
uint32_t dpor_branch_enter(struct dpor_node *n, uint32_t actor, bool values);
bool dpor_branch_any(const struct dpor_node *n, uint32_t actor);
/* What the transition of a branch turned out to be. */
bool dpor_branch_set(struct dpor_branch *b, const uint32_t *values, uint32_t n_values, const struct wire_access *acc,
                     uint32_t n, bool more);

/* Calls f for all branches that sleep in a branch because they came before it at the same node, one actor after the other;
 * stops when f answers less than 1. */
int dpor_node_asleep(const struct dpor_node *n, uint32_t place, uint32_t actor,
                     int (*f)(void *arg, const struct dpor_branch *b), void *arg);

/* load: false if the input is malformed, or out of memory.  `held`: nodes that are held, once for each time. */
void dpor_nodes_save(const struct dpor_nodes *t, struct stream *out);
bool dpor_nodes_load(struct dpor_nodes *t, struct stream *in, const uint32_t *held, uint32_t n);

#endif
