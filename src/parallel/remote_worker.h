/* A worker of a search on many machines. */
#ifndef HEDDLE_PARALLEL_REMOTE_WORKER_H
#define HEDDLE_PARALLEL_REMOTE_WORKER_H

#include "engine/session.h"
#include "parallel/store/jobstore.h"

/* Takes jobs until the search is over, or it is interrupted.  The session's strategy explores them.  RUN_OK or below 0 with
 * `why` of the session. */
MUST_CHECK int remote_work(struct session *s, struct jobstore *store);

/* Is the search in this place over? */
bool remote_over(struct jobstore *store);

/* Is the search of this store ours to take part in?  RUN_OK (also if it is over), or ERROR_USAGE: it is another
 * program's. */
MUST_CHECK int remote_check(struct session *s, struct jobstore *store);

#define REMOTE_WHY 150u /* characters of a reason */
/* Optimal takes the place of a strategy that is divided into parts, because of this.  RUN_OK or below 0. */
MUST_CHECK int remote_replace(struct session *s, const char *why);

/* A hash of whose search it is, for seals. */
uint64_t remote_search(const struct session *s);

#endif
