/*
 * Pairs of source locations whose accesses conflict, over all executions: in which orders they were seen, and what was predicted
 * of them.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_PAIRS_H
#define HEDDLE_STRATEGY_PREDICT_PAIRS_H

#include "base/vec.h"
#include "strategy/predict/index_map.h"
#include "trace/prediction.h"
#include "trace/race.h"

#define PAIR_TRIES 3u /* predictions of one kind for a pair; the others were refuted */

/* Kinds of accesses beyond enum race_kind. */
enum { PAIR_WAIT = RACE_KINDS, PAIR_SIGNAL };

struct pair_access {
        uint64_t site;
        uint16_t actor;
        uint8_t kind; /* enum race_kind, or above */
};

struct pair {
        uint64_t site[2];
        uint8_t kind[2];
        uint8_t orders;                  /* RACE_FORWARD, RACE_BACKWARD */
        uint16_t pending;                /* a set of enum prediction_kind: predicted, and confirmed or not run yet */
        uint8_t tries[PREDICTION_KINDS]; /* how often each was predicted */
        uint8_t guesses;                 /* schedules that were guessed */
        uint8_t allowed, denied;         /* 0 or not: some reordering has the other order; some execution has none */
};

struct pairs {
        VEC(struct pair) list;
        struct index_map map;
};

/* The pair of two accesses, of which `early` comes first: its index, and in *order RACE_FORWARD or RACE_BACKWARD. */
uint32_t pairs_find(struct pairs *p, const struct pair_access *early, const struct pair_access *late, uint8_t *order);

/* Is it a pair of accesses to memory? */
static inline bool pair_is_memory(const struct pair *p)
{
        return p->kind[0] < RACE_KINDS && p->kind[1] < RACE_KINDS;
}

/* May this be predicted (again)? */
static inline bool pair_wants(const struct pair *p, enum prediction_kind kind)
{
        return !(p->pending >> kind & 1) && p->tries[kind] < PAIR_TRIES;
}

/* It is. */
static inline void pair_predicted(struct pair *p, enum prediction_kind kind)
{
        p->allowed = true;
        p->pending |= (uint16_t)(1u << kind);
        p->tries[kind]++;
}

/* Fills in `both`, `impossible` and `open`. */
void pairs_count(const struct pairs *p, struct prediction_figures *out);
void pairs_save(const struct pairs *p, struct stream *out);
/* Into an empty table; in->failed: it is malformed. */
void pairs_load(struct pairs *p, struct stream *in);
void pairs_reset(struct pairs *p);
void pairs_fini(struct pairs *p);

#endif
