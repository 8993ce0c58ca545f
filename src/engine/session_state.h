/* What a session has found out about the program, in a stream: for checkpoints, and from one explorer to another. */
#ifndef HEDDLE_ENGINE_SESSION_STATE_H
#define HEDDLE_ENGINE_SESSION_STATE_H

#include "engine/session.h"

/* Isolation, size of the pool, names of threads, shared memory. */
void session_save(const struct session *s, struct stream *out);

/* Takes it over in place of what is known: the target is stopped, since what it knows is older.  0, or -1: it makes no
 * sense. */
int session_load(struct session *s, struct stream *in);

/* Adds to what is known what another explorer found out that began with the same; its numbers of threads may differ
 * from ours.  0, or -1: it makes no sense, or is too much. */
int session_merge(struct session *s, struct stream *in);

#endif
