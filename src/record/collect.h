/* From the shared memory of a program that was recorded to a recording. */
#ifndef HEDDLE_RECORD_COLLECT_H
#define HEDDLE_RECORD_COLLECT_H

#include <sys/types.h>

#include "record/recording.h"

/* Fills in what the memory tells: the failure, modules and threads.  The memory is not trusted.  0, or -1: out of memory. */
MUST_CHECK int collect(struct recording *r, const struct rec_memory *m, uint32_t ring);

/* A program that hangs, and is stopped: takes the last words of its threads out of its memory. */
void collect_hang(struct rec_memory *m, pid_t pid);

#endif
