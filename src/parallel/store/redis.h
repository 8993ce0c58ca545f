/* --cluster: jobs in a Redis server. */
#ifndef HEDDLE_PARALLEL_STORE_REDIS_H
#define HEDDLE_PARALLEL_STORE_REDIS_H

#include "parallel/store/jobstore.h"

/* redis://[user:password@]host[:port]/name.  NULL with a reason: the address is malformed, the server cannot be reached or refuses us,
 * or heddle was built without hiredis. */
struct jobstore *redis_open(const char *url, struct error *why);

#endif
