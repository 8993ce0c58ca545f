/*
 * The observer for executions that end with every thread waiting: deadlocks and livelocks.
 */
#ifndef HEDDLE_ANALYSIS_DEADLOCK_H
#define HEDDLE_ANALYSIS_DEADLOCK_H

#include <stdbool.h>

#include "trace/finding.h"

/* Did the execution end stuck?  Then *kind is FINDING_LIVELOCK if a thread spins, else FINDING_DEADLOCK. */
bool deadlock_observe(const struct trace *t, enum finding_kind *kind);

#endif
