/*
 * The state of filters.c, shared with its part for filters that choose (filters_chosen.c): no interface for others.
 */
#ifndef HEDDLE_STRATEGY_STATES_FILTERS_SEARCH_H
#define HEDDLE_STRATEGY_STATES_FILTERS_SEARCH_H

#include "base/vec.h"
#include "strategy/states/frontier.h"
#include "hb/hb_state.h"
#include "strategy/strategy.h"
#include "strategy/states/termination_graph.h"

struct filters {
        struct strategy base;
        struct hb_states states;
        struct frontier frontier;
        struct filter *chain[FILTER_MAX];
        uint32_t n_chain;
        struct filter *holder;       /* the one of them that names states, or NULL */
        struct filter *steps;        /* ... if it makes others wait */
        struct filter *chooser;      /* ... if it chooses which actor continues */
        struct frontier_entry at;    /* the one picked last; its path and node are held */
        VEC(struct wire_access) acc; /* scratch: what two moves touch */
        VEC(uint32_t) nodes;         /* scratch: those of entries that were read */
        VEC(uint32_t) links;         /* scratch: the path before each transition */
        bool unsure;                 /* what an actor does next depends on more than its place */
        bool spurious, watched, pso; /* --spurious, --invariant, --memory pso */
        bool started, given;
        bool concrete; /* a state is what the target says that it is (WIRE_CYCLES_ALL), not what led to it */
        struct termination_graph graph; /* concrete: between states */
};

/* Does no filter stop this state? */
bool filters_wanted(struct filters *f, const struct filter_state *s);

/* Would it be a preemption if the actor moved in the place of transition k?  The move of a store buffer is none. */
bool filters_preempts(const struct filters *f, const struct trace *t, uint32_t k, uint32_t actor);

/* With a filter that chooses: the actors that sleep after the pick, 1 or -E2BIG; and its execution, 0 or <0.  `path` is the
 * link before its transition. */
int filters_sleep(const struct filters *f, struct schedule *out);
int filters_choose(struct filters *f, const struct trace *t);

#endif
