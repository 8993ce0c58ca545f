/* Common nodes of a path (share.h has the formats). */
#ifndef HEDDLE_STRATEGY_DPOR_PATH_SHARE_H
#define HEDDLE_STRATEGY_DPOR_PATH_SHARE_H

#include "strategy/dpor/path.h"
#include "strategy/share.h"

/* How a common node begins; what the first transition of a branch of node i was. */
void path_put_common(struct path *p, uint32_t i, struct stream *out);
void path_put_first(struct path *p, uint32_t i, struct stream *out);
/* How a race with the transition of the common node i begins; the initials are `words` long, and so are those that do not count
 * as weak initials (NULL: none). */
void path_put_race(const struct path *p, uint32_t i, const uint64_t *initials, const uint64_t *without, uint32_t words,
                   uint32_t add, struct stream *out);
/* ... and that an actor must go first from there, independent of the others. */
void path_put_open(uint32_t i, uint32_t actor, struct stream *out);
/* So many sleep at node i. */
uint32_t path_asleep(const struct path *p, uint32_t i);
/* Do two footprints conflict in every state? */
bool path_conflict(const struct wire_access *a, uint32_t n, const struct wire_access *b, uint32_t m);
/* Actors that are enabled at node i, as the path's trace says, and whose next transition conflicts with that of a branch which is
 * there: each of them must go first at some time, or what goes before it.  In: the branches that are there; out: those and the
 * others.  false: the trace is not that of the path. */
bool path_seeds(const struct path *p, const struct trace *t, uint32_t i, uint64_t branches[SHARE_WORDS]);
/* Takes over a branch: node `branch` is the top then, and the first *slept of those that sleep there slept before its branches
 * were handed out.  0 or -EINVAL. */
int path_adopt(struct path *p, struct strategy *s, struct stream *in, uint32_t *slept);

#endif
