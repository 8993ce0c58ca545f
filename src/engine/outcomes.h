/*
 * What is known of the transactions of a schedule (wire/txn.h): found out by a run that ended there, used by the next ones.
 */
#ifndef HEDDLE_ENGINE_OUTCOMES_H
#define HEDDLE_ENGINE_OUTCOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/lines.h"
#include "strategy/strategy.h"
#include "trace/trace.h"
#include "wire/wire.h"

/* Beside the decisions, what the transitions of a schedule depend on. */
struct outcome_terms {
        uint32_t points, sites_seq, n_shared, n_buffers, n_loops, loop_depth, wasted_seq;
};

/* The schedule is run next, after the run whose answer `up` still has: forgets what need not be so any more.  segments: its
 * transitions are not those of decisions. */
void outcomes_keep(struct wire_down *d, const struct wire_up *up, const struct schedule *next, bool segments);

/* The message is complete, the last one was for these terms: forgets all if they have changed. */
void outcomes_suit(struct wire_down *d, struct outcome_terms *last);

/* A run has ended with WIRE_END_TXN, with this trace: one more is known.  With `lines`, it need not continue where a conflict has no cause
 * and no thread uses such lines (WIRE_SETTLED).  0, or below: -EINVAL, the answer is malformed; -ENOMEM. */
int outcomes_learn(struct wire_down *d, const struct wire_up *up, const struct trace *t, const struct lines *lines);

#endif
