/*
 * A schedule under a debugger.
 *
 * The schedule, and all that is known of the program, are in the wire before the debugger starts: the target finds its
 * message there and needs no explorer.  The debugger starts the program as often as it
 * likes, through debug_become(), with the descriptors that it inherits.
 */
#ifndef HEDDLE_TARGET_DEBUG_H
#define HEDDLE_TARGET_DEBUG_H

#include <stddef.h>

#include "base/error.h"
#include "target/target.h"
#include "trace/trace.h"

struct debugger {
        /* Builds the debugger's argument vector.  `launch` is the descriptor for debug_become(), `up` that of the
         * region with struct wire_debug at offset `at`; `t` is the execution.  NULL when it cannot be done, after saying why. */
        char **(*command)(void *arg, const struct trace *t, int launch, int up, size_t at);
        void *arg;
        int status; /* its exit status, as of waitpid() */
};

/* Runs the debugger until it ends, on the schedule in t->down, whose execution is `trace`.  0, or an error_status. */
MUST_CHECK int debug_launch(struct target *t, const struct trace *trace, struct debugger *d, struct error *why);

/* The program that `launch` describes; returns only on failure (errno). */
void debug_become(int launch);

#endif
