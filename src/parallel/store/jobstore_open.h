/* Opens the store of a search on many machines. */
#ifndef HEDDLE_PARALLEL_STORE_JOBSTORE_OPEN_H
#define HEDDLE_PARALLEL_STORE_JOBSTORE_OPEN_H

#include "parallel/store/jobstore.h"

/* A directory, or redis://[user:password@]HOST[:PORT]/NAME.  NULL with a reason. */
struct jobstore *jobstore_open(const char *url, struct error *why);

#endif
