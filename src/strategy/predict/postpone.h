/*
 * Guesses about critical sections: one has to wait until the other threads have run as far as they get, whatever the values.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_POSTPONE_H
#define HEDDLE_STRATEGY_PREDICT_POSTPONE_H

#include "strategy/predict/forecast.h"

struct postponed { /* a section */
        uint32_t section, writes;
        uint32_t ordinal; /* among those of its thread */
};

struct postpone {
        struct forecasts *forecasts;
        struct index_map *known; /* sections that have waited, by their threads and ordinals */
        VEC(uint32_t) writes;    /* of each section */
        VEC(uint32_t) counts;    /* of each thread: its sections so far */
        VEC(struct postponed) list;
};

/* Guesses from the model of a trace. */
void postpone_read(struct postpone *p, const struct model *m);
void postpone_fini(struct postpone *p);

#endif
