/*
 * Predictions: the question whether a reordering exists, and those whose schedules are to be run.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_FORECAST_H
#define HEDDLE_STRATEGY_PREDICT_FORECAST_H

#include "strategy/predict/closure.h"
#include "strategy/predict/pairs.h"

#define QUESTION_THREADS 8u

/* Is there a sync-preserving set in which all of `before` are the next of their threads, that contains `with`, and none of
 * `avoid`?  Then its nodes are run in the order of the trace, and `last` after them. */
struct question {
        enum prediction_kind kind;
        uint32_t before[QUESTION_THREADS], n_before;
        uint32_t with; /* MODEL_NONE: nothing */
        uint32_t avoid[QUESTION_THREADS], n_avoid;
        uint32_t last[2], n_last;
        uint64_t site[2]; /* of a race: of `last`; of PREDICT_READ: of the write and the read */
        uint32_t pair;    /* MODEL_NONE: of no pair */
};

struct forecast {
        enum prediction_kind kind;
        uint32_t pair; /* MODEL_NONE: of no pair */
        struct wire_decision *decisions;
        uint32_t n;
        uint64_t site[2]; /* as in the question */
        uint16_t actor[2];
        bool section;    /* of a guess: it is one about a section */
        uint32_t node;   /* of PREDICT_VALUE (window.h): the operation ... */
        uint64_t result; /* ... and its result */
};

/* Predictions of failures, those first that fail most often; PREDICT_VALUE; PREDICT_READ and PREDICT_ORDER; guesses (PREDICTION_KINDS): what
 * becomes of them is not counted. */
enum forecast_queue {
        QUEUE_DEADLOCK,
        QUEUE_FREED,
        QUEUE_WAKEUP,
        QUEUE_RACE,
        QUEUE_NULL,
        QUEUE_ATOMICITY,
        QUEUE_VALUES,
        QUEUE_ORDERS,
        QUEUE_GUESSES,
        QUEUE_SECTIONS,
        QUEUES
};

struct forecasts {
        struct {
                VEC(struct forecast) list;
                uint32_t next; /* the first one that has not been taken */
        } queues[QUEUES];
        uint64_t room;                   /* decisions of all of them */
        VEC(struct wire_decision) draft; /* of the one that is made */
        struct prediction_figures figures;
};

/* Closes the set of a question.  `set` has a place for each thread. */
bool question_ask(struct closure *c, const struct question *q, uint32_t *set);

/* Adds the answer.  false: there are too many already. */
bool forecasts_add(struct forecasts *f, const struct model *m, const struct question *q, const uint32_t *set);

/* Adds a prediction with this schedule.  false: as above. */
bool forecasts_path(struct forecasts *f, const struct wire_decision *path, uint32_t n, const struct forecast *is);

/* Adds a guess: the trace up to a node, and then so many transitions of another thread before that node.  false: as above. */
bool forecasts_guess(struct forecasts *f, const struct model *m, uint32_t node, uint32_t actor);

/* Adds a guess: the trace up to a node, and then the other threads, one after the other, each up to where it joins.  false: as above. */
bool forecasts_postpone(struct forecasts *f, const struct model *m, uint32_t node);

/* The next one, for the caller, which frees its decisions; false: none. */
bool forecasts_take(struct forecasts *f, enum forecast_queue queue, struct forecast *out);
/* The same of the predictions of failures. */
bool forecasts_take_failing(struct forecasts *f, struct forecast *out);

/* One of them, without the prediction of a value, which is about the machine of windows. */
void forecast_save(const struct forecast *f, struct stream *out);
/* pairs: so many there are.  Its decisions are the caller's; in->failed: it is malformed. */
void forecast_load(struct forecast *f, uint32_t pairs, struct stream *in);

/* All that wait, without predictions of values; into empty queues. */
void forecasts_save(const struct forecasts *f, struct stream *out);
void forecasts_load(struct forecasts *f, uint32_t pairs, struct stream *in);

void forecasts_reset(struct forecasts *f);
void forecasts_fini(struct forecasts *f);

#endif
