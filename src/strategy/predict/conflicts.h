/*
 * Accesses of a trace that conflict: which could come in the other order, which of them one right after the other, and where one of
 * another thread could come between two.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_CONFLICTS_H
#define HEDDLE_STRATEGY_PREDICT_CONFLICTS_H

#include "strategy/predict/forecast.h"

struct conflict_access {
        uint32_t node, event;
        uint32_t next; /* of the same record: index + 1 */
        uint32_t own;  /* the access of the same thread to the granule before it: index + 1 */
};

struct conflict_record { /* accesses of a thread from a source location to bytes of a granule */
        struct pair_access what;
        uint8_t mask;
        uint32_t first, last; /* accesses: index + 1 */
        uint32_t next;        /* of the granule: index + 1 */
};

struct conflict_place {   /* a granule, or a condition variable */
        uint32_t records; /* index + 1 */
        uint64_t writer;  /* the source location of the last write */
};

struct conflict_state { /* of two records */
        uint32_t pair;
        uint32_t visits; /* how often they were considered for atomicity violations */
        uint32_t
                passed; /* of the earlier record: up to this one, none races with an access of the later one; index + 1 */
};

struct conflicts {
        const struct model *model;
        struct closure closure;
        struct pairs *pairs;
        struct forecasts *forecasts;
        struct index_map *known; /* atomicity violations: how often each was considered; pairs of write and read */
        uint32_t window;         /* events that two accesses may be apart; 0: any number */
        uint32_t fresh;          /* pairs of write and read that were not known */
        uint32_t alone;          /* a node + 1 for which `set` is closed with nothing but it; 0: none */
        bool alone_possible;
        VEC(uint32_t) set, alone_set;
        VEC(struct conflict_access) accesses;
        VEC(struct conflict_record) records;
        VEC(struct conflict_place) places;
        VEC(struct conflict_state) states;
        struct index_map place_map, state_map;
};

/* The key of a pair of write and read in `known`. */
uint64_t conflicts_read_key(uint64_t write, uint64_t read);

/* Predicts from the model of a trace. */
void conflicts_read(struct conflicts *c, const struct model *m);
void conflicts_fini(struct conflicts *c);

#endif
