/*
 * The state of dpor.c, shared with what stores it and hands parts of it on (dpor_state.c): no interface for others.
 */
#ifndef HEDDLE_EXPLORE_DPOR_H
#define HEDDLE_EXPLORE_DPOR_H

#include "base/vec.h"
#include "explore/causality.h"
#include "explore/strategy.h"

struct sleeper {
        uint32_t fp, n; /* footprint */
        uint16_t actor;
};

/* A sleeper that the transition of a node woke. */
struct woken {
        uint32_t node, sleeper;
};

struct node {
        uint64_t obj;
        uint32_t choice, next_choice;
        uint32_t entry;          /* of its first entry in the trace */
        uint32_t sleep, n_sleep; /* in sleepers */
        uint32_t acc, n_acc;     /* footprint of the transition taken */
        uint32_t fp_top;         /* the footprints above belong to deeper nodes */
        uint32_t woken;          /* those that earlier nodes woke */
        uint16_t actor;
        uint8_t op, forced;
};

struct dpor {
        struct strategy base;
        struct causality causality;
        VEC(struct node) nodes;
        VEC(uint64_t) backtrack; /* words for each node */
        VEC(struct sleeper) sleepers;
        VEC(struct woken) woken;
        VEC(struct wire_access) footprints; /* of sleepers */
        VEC(struct wire_access) accesses;   /* of transitions on the stack */
        uint32_t words;
        uint32_t branch;  /* the node whose transition the next trace changes */
        uint32_t written; /* decisions in the prefix that are as they should be */
        uint32_t own;          /* nodes before this one are common: others decide what is run from them (dpor_share.c) */
        struct stream common;  /* races with their transitions, to be told */
        bool started;
        bool given;   /* next() gave out a schedule that learn() has not seen the trace of */
        bool rebuild; /* the stack was loaded: its causality comes with the next trace */
        uint64_t *initials; /* scratch */
};

/* The actor sleeps at the top node n: this is what its transition touches.  Another answer to a choice adds to what the
 * first one touched. */
bool dpor_put_to_sleep(struct dpor *d, struct node *n, uint32_t actor, const struct wire_access *acc, uint32_t n_acc);

/* Room for so many actors in every set. */
bool dpor_widen(struct dpor *d, uint32_t actors);

/* Does the actor sleep at node n? */
bool dpor_sleeps(const struct dpor *d, const struct node *n, uint32_t actor);

uint64_t *dpor_backtrack(struct dpor *d, uint32_t i);

#endif
