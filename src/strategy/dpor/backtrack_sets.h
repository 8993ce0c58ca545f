/*
 * Backtrack sets: which actors must go first from each node of a path, the races decide.  Source-set DPOR in depth-first
 * order (dpor.c), and in another order (states/filter_dpor.c).
 */
#ifndef HEDDLE_STRATEGY_DPOR_BACKTRACK_SETS_H
#define HEDDLE_STRATEGY_DPOR_BACKTRACK_SETS_H

#include "base/vec.h"
#include "strategy/dpor/path.h"
#include "strategy/strategy.h"

struct dpor {
        struct strategy base;
        struct path path;
        VEC(uint64_t) backtrack; /* words for each node */
        uint32_t words;
        uint32_t own;         /* nodes before this one are common: others decide what is run from them (dpor_share.c) */
        struct stream common; /* races with their transitions, to be sent */
        uint64_t *initials;   /* scratch */
        const struct wire_decision *root; /* every execution begins with these; not owned */
        uint32_t n_root;
};

bool dpor_init(struct dpor *d);
void dpor_fini(struct dpor *d);

/* Hooks of path_learn(), d being the argument: a node has an empty backtrack set, its actor is added, and so is what a race
 * asks for. */
bool dpor_pushed(void *d, uint32_t i);
bool dpor_taken(void *d, uint32_t i);
bool dpor_race(void *d, uint32_t i, uint32_t actor, const uint32_t *past);
bool dpor_open(void *d, uint32_t i, uint32_t actor);

/* Room for so many actors in every set. */
bool dpor_widen(struct dpor *d, uint32_t actors);

uint64_t *dpor_backtrack(struct dpor *d, uint32_t i);

/* As in strategy_ops and persist_ops. */
void dpor_reset(struct strategy *base);
int dpor_load(struct strategy *base, struct stream *in);
/* The first n nodes, the transition of the last one included, in a stream. */
void dpor_save_upto(const struct dpor *d, uint32_t n, struct stream *out);

#endif
