/*
 * Checkpoints: an exploration in a file, taken up again later.  docs/FORMATS.md describes the file.
 */
#ifndef HEDDLE_EXPLORE_CHECKPOINT_H
#define HEDDLE_EXPLORE_CHECKPOINT_H

#include "explore/session.h"
#include "explore/strategy.h"

/* Is --save's next file due?  `now` is session_now(). */
bool checkpoint_due(const struct session *s, double now);

/* Writes the file of --save; the one that was there stays until the new one is safe on the disk.  SESSION_OK, or
 * SESSION_USAGE with `why`.  With `first`, a file that is no checkpoint is not replaced. */
int checkpoint_save(struct session *s, const struct strategy *strategy, bool first);

/* Takes up what stands in the file of --resume: what the session knows, its result so far, the strategy's state.
 * SESSION_OK, or SESSION_USAGE with `why`: everything in the file is checked before it is believed. */
int checkpoint_load(struct session *s, struct strategy *strategy);

#endif
