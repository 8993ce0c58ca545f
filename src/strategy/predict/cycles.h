/*
 * Deadlocks of locks (Tunc, Mathur, Pavlogiannis, Viswanathan: Sound dynamic deadlock prediction in linear time, PLDI 2023):
 * threads that each hold a lock that the next one waits for, in a sync-preserving reordering.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_CYCLES_H
#define HEDDLE_STRATEGY_PREDICT_CYCLES_H

#include "strategy/predict/forecast.h"

struct cycle_wait {           /* acquires of a lock by a thread that holds the same locks: an abstract acquire */
        uint32_t lock, held;  /* held: a list in the model, of the first one */
        uint32_t first, last; /* sections, linked by `next`: index + 1 */
        uint64_t site;
        uint16_t actor;
        bool shared;
};

struct cycles {
        const struct model *model;
        struct closure closure;
        struct forecasts *forecasts;
        struct index_map *known; /* cycles that were predicted */
        uint32_t window;         /* events that two acquires may be apart; 0: any number */
        uint32_t steps;          /* of the search */
        VEC(struct cycle_wait) waits;
        VEC(uint32_t) next; /* of each section: the next one of its abstract acquire, index + 1 */
        VEC(uint32_t) set;
        struct index_map map;
        uint32_t path[QUESTION_THREADS], n_path;
};

void cycles_read(struct cycles *c, const struct model *m);
void cycles_fini(struct cycles *c);

#endif
