/* What was found out about the program while it ran, in a stream: for checkpoints, and from one explorer to another. */
#ifndef HEDDLE_ENGINE_KNOWLEDGE_H
#define HEDDLE_ENGINE_KNOWLEDGE_H

#include "base/stream.h"
#include "engine/run.h"

/* Isolation, size of the pool, names of threads, shared memory. */
void knowledge_save(const struct program *p, struct stream *out);

/* Takes it over in place of what is known: the target is stopped, since what it knows is older.  0, or -1: it is
 * malformed. */
MUST_CHECK int knowledge_load(struct run *r, struct stream *in);

/* Adds to what is known what another explorer found out that began with the same; its numbers of threads may differ
 * from ours.  0, or -1: it is malformed, or is too much. */
MUST_CHECK int knowledge_merge(struct run *r, struct stream *in);

#endif
