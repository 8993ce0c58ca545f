/*
 * Sync-preserving closure (Mathur, Pavlogiannis, Viswanathan: Optimal prediction of synchronization-preserving races, POPL
 * 2021).  The smallest set that contains another one, is closed under what nodes need, and in which of two sections of one
 * lock, unless both are read locks, the earlier has its release.  The nodes of such a set can be run in the order of the trace.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_CLOSURE_H
#define HEDDLE_STRATEGY_PREDICT_CLOSURE_H

#include "strategy/predict/model.h"

struct closure {
        const struct model *model;
        uint64_t effort, limit; /* lanes visited; more than `limit` are not (0: any number) */
};

/* Closes a set.  false: it cannot be closed (a section has no end in the trace), or would contain one of these nodes, or the
 * effort was too much. */
bool closure_close(struct closure *c, uint32_t *set, const uint32_t *avoid, uint32_t n_avoid);

static inline bool closure_spent(const struct closure *c)
{
        return c->limit && c->effort > c->limit;
}

#endif
