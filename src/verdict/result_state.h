/* What an exploration has found so far, in a stream: for checkpoints, and from one explorer to another. */
#ifndef HEDDLE_VERDICT_RESULT_STATE_H
#define HEDDLE_VERDICT_RESULT_STATE_H

#include "base/stream.h"
#include "verdict/result.h"

/* Figures, failures with their traces, outcomes. */
void result_save(const struct result *r, struct stream *out);

/* Adds to *r what is read: figures are summed, failures and outcomes that are there already are counted together.
 * 0, or -1 when it is malformed or out of memory; then *r is not complete. */
int result_merge(struct result *r, struct stream *in);

#endif
