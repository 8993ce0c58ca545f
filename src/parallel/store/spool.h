/* --spool: jobs as files in a directory that all machines share. */
#ifndef HEDDLE_PARALLEL_STORE_SPOOL_H
#define HEDDLE_PARALLEL_STORE_SPOOL_H

#include "parallel/store/jobstore.h"

/* Makes the directory if it is not there.  NULL with a reason. */
struct jobstore *spool_open(const char *path, struct error *why);

#endif
