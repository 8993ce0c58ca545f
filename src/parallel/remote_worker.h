/* A worker of a search on many machines. */
#ifndef HEDDLE_PARALLEL_REMOTE_WORKER_H
#define HEDDLE_PARALLEL_REMOTE_WORKER_H

#include "engine/session.h"
#include "parallel/store/jobstore.h"

/* Takes jobs until the search is over, or it is interrupted.  The session's strategy explores them.  RUN_OK or below 0 with
 * `why` of the session. */
MUST_CHECK int remote_work(struct session *s, struct jobstore *store);

/* Is the search of this store ours to take part in?  RUN_OK, or ERROR_USAGE: it is another program's. */
MUST_CHECK int remote_check(struct session *s, struct jobstore *store);

/* A hash of whose search it is, for seals. */
uint64_t remote_search(const struct session *s);

#endif
