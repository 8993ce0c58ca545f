/* Failures of a recorded program. */
#ifndef HEDDLE_RT_RECORD_FAILURE_H
#define HEDDLE_RT_RECORD_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* An assertion of the program has failed; `site` is the call in the program. */
void failure_assertion(const char *condition, const char *file, unsigned line, const char *function, uintptr_t site);

/* Is a signal one that a fault raises?  The recorder handles it. */
bool failure_is_deadly(int sig);

/* From here on deadly signals and the status of the exit are noted, where something is recorded. */
void failure_watch(void);

#pragma GCC visibility pop

#endif
