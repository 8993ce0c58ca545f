/*
 * Checkpoints: an exploration in a file, taken up again later.  docs/FORMATS.md describes the file.
 */
#ifndef HEDDLE_ENGINE_CHECKPOINT_H
#define HEDDLE_ENGINE_CHECKPOINT_H

#include "engine/session.h"
#include "strategy/strategy.h"

/* Is --save's next file due?  `now` is clock_now(). */
bool checkpoint_due(const struct session *s, double now);

/* May the file of --save be written?  It is, for the first time; one that is not a checkpoint is not replaced.  RUN_OK,
 * or ERROR_USAGE with `why`. */
MUST_CHECK int checkpoint_begin(struct session *s, const struct strategy *strategy);

/* Writes the file of --save; the one that was there stays until the new one is safe on the disk.  If it cannot be written
 * the result says why.  `shared`: what several explorers have to be stored (coordinator_state.h), in place of the strategy's
 * state; NULL: there is one. */
void checkpoint_keep(struct session *s, const struct strategy *strategy, const struct stream *shared);

/* Takes up what is in the file of --resume: what the session knows, its result so far, the strategy's state.
 * RUN_OK, or ERROR_USAGE with `why`: everything in the file is checked before it is believed. */
MUST_CHECK int checkpoint_load(struct session *s, struct strategy *strategy);

#endif
