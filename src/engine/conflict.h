/*
 * Aborts of transactions by a conflict (CONFLICT): is this one possible?
 *
 * It needs a cause: an access of another thread to a line of the transaction, one of both writing, after what the thread did last.
 */
#ifndef HEDDLE_ENGINE_CONFLICT_H
#define HEDDLE_ENGINE_CONFLICT_H

#include "trace/trace.h"
#include "wire/txn.h"

/* The last transition of the trace is the transaction, which touches `reads`.  1: possible, 0: not, -ENOMEM. */
int conflict_possible(const struct trace *t, const struct wire_txn *x, const struct wire_txn_read *reads);

#endif
