/*
 * The frontier of a search: transitions that are still to be run, each from the end of a path.  Paths have their
 * beginnings in common (a tree that is followed upwards), and are counted.
 */
#ifndef HEDDLE_STRATEGY_STATES_FRONTIER_H
#define HEDDLE_STRATEGY_STATES_FRONTIER_H

#include "base/stream.h"
#include "base/vec.h"
#include "config/config.h"
#include "strategy/states/filter.h"
#include "wire/wire.h"

#define FRONTIER_ROOT UINT32_MAX

/* One transition of a path. */
struct frontier_link {
        struct wire_decision decision;
        uint32_t parent; /* FRONTIER_ROOT: it is the first */
        uint32_t users;  /* links, entries and holders */
        uint32_t depth;  /* transitions before it */
        uint32_t preemptions;
};

struct frontier_entry {
        uint64_t rank;             /* the lowest is picked */
        struct filter_state state; /* after the transition, as far as it is foreseen */
        uint32_t path;             /* its last link */
        uint32_t node;             /* the state from which it continues, as filters call it */
        uint32_t choice;
        uint16_t actor;
};

struct frontier {
        VEC(struct frontier_link) links;
        VEC(struct frontier_entry) heap;
        uint32_t unused; /* links, chained by parent */
        uint64_t n;      /* entries ever */
        enum config_order order;
        uint64_t seed;
};

void frontier_init(struct frontier *f, enum config_order order, uint64_t seed);
void frontier_reset(struct frontier *f);
void frontier_fini(struct frontier *f);

/* Writes the frontier, and takes it back; `held` is a link that the caller holds, FRONTIER_ROOT: none.  false: the input is
 * malformed, or out of memory. */
void frontier_save(const struct frontier *f, struct stream *out);
bool frontier_load(struct frontier *f, struct stream *in, uint32_t held);
/* Do the invariants hold?  The heap is ordered; every link is unused, or has at least as many users as refer to it, and a
 * parent one transition shorter. */
bool frontier_check(const struct frontier *f);
/* Is an entry well-formed that did not come from here? */
bool frontier_valid(const struct frontier *f, const struct frontier_entry *e);

/* A new link, held by the caller; FRONTIER_ROOT: out of memory. */
uint32_t frontier_link(struct frontier *f, uint32_t parent, const struct wire_decision *d, bool preempts);
void frontier_put(struct frontier *f, uint32_t link);

/* Adds an entry; `preempts`: the transition comes while the thread that ran last could continue. */
bool frontier_add(struct frontier *f, const struct frontier_entry *e, bool preempts);

/* Takes the next entry; its path is held by the caller from then on.  false: there is none. */
bool frontier_pick(struct frontier *f, struct frontier_entry *e);

#endif
