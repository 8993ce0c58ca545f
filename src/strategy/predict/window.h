/*
 * Reorderings that sync-preserving prediction does not have: the order engine of mcr (strategy/mcr/machine.h), within windows of an
 * execution.
 *
 * The machine is what all executions so far have shown.  From the beginning of a window its states are searched.  All reads have values
 * that they were seen to have, except the last one, which the prediction is about; or no thread can take a step: a deadlock of
 * any objects, joins and semaphores included; or two threads are next to perform accesses that are a data race.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_WINDOW_H
#define HEDDLE_STRATEGY_PREDICT_WINDOW_H

#include "config/config.h"
#include "strategy/mcr/learn.h"
#include "strategy/mcr/seen.h"
#include "strategy/predict/forecast.h"

struct window_frame {
        uint32_t changes, path; /* of the machine, in this state */
        uint32_t thread;        /* the next to take a step ... */
        uint32_t choice;        /* ... with this alternative */
        uint32_t buffer;        /* the next to flush a store, after all threads */
        bool only;              /* no other thread may */
        bool moved;             /* a step was taken from here */
};

struct window {
        const struct config *config;
        struct forecasts *forecasts;
        struct pairs *pairs;
        struct index_map known; /* operations and deadlocks that were predicted, by nodes of the machine */
        struct machine machine;
        struct learner learner;
        struct seen states; /* of the search under way */
        VEC(struct window_frame) frames;
        uint64_t round; /* executions that were searched */
        uint32_t fruitless,
                rest; /* searches without a prediction, one after the other; executions without a search after the last one */
        uint32_t nodes; /* of the tries, when the last search began */
        uint32_t steps; /* of the search of this execution */
        uint32_t made;  /* predictions from it: of values and deadlocks ... */
        uint32_t races; /* ... and of races */
        bool off;       /* something is not modelled, or too large */
        bool unlearnt;  /* the last execution is too long; others may be shorter */
};

void window_init(struct window *w, const struct config *config);
void window_fini(struct window *w);

/* Learns an execution.  Then window_shows() can be asked, and window_read() predicts from it. */
void window_learn(struct window *w, const struct trace *t);
void window_read(struct window *w, const struct trace *t);

/* Has the operation that the prediction is about had this result since? */
bool window_shows(struct window *w, const struct forecast *f);

#endif
