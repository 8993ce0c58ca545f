/*
 * Executions that were the first to show a pair of write and read: the beginnings of schedules that are drawn.
 */
#ifndef HEDDLE_STRATEGY_PREDICT_CORPUS_H
#define HEDDLE_STRATEGY_PREDICT_CORPUS_H

#include "strategy/strategy.h"

#define CORPUS 16u

struct corpus_entry {
        struct wire_decision *decisions;
        uint32_t n;
};

struct corpus {
        struct corpus_entry entries[CORPUS];
        uint64_t added;
};

/* Keeps an execution, in the place of the oldest one; not if it is very long. */
void corpus_add(struct corpus *c, const struct trace *t);
/* The schedule begins with a part of one of them, as this number says; with nothing if there is none. */
void corpus_begin(const struct corpus *c, uint64_t number, struct schedule *out);
void corpus_save(const struct corpus *c, struct stream *out);
/* Into an empty one; in->failed: it is malformed. */
void corpus_load(struct corpus *c, struct stream *in);
void corpus_reset(struct corpus *c);

#endif
