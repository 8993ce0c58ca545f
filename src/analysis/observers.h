/* All observers, in the order in which their findings are reported. */
#ifndef HEDDLE_ANALYSIS_OBSERVERS_H
#define HEDDLE_ANALYSIS_OBSERVERS_H

#include "trace/observer.h"

extern const struct observer nondeterminism_observer; /* a schedule that could not be followed */
extern const struct observer deadlock_observer;       /* everybody waits: deadlock, livelock */
extern const struct observer failure_observer;        /* what the target itself noticed: assertions, crashes, exits */

/* Ends with NULL. */
extern const struct observer *const observers[];

#endif
