/*
 * A schedule under a debugger.
 *
 * The schedule, and all that is known of the program, stand in the wire before the debugger starts: the target finds its
 * message there and needs no explorer.  The debugger starts the program as often as it
 * likes, through debug_become(), with the descriptors that it inherits.
 */
#ifndef HEDDLE_TARGET_DEBUG_H
#define HEDDLE_TARGET_DEBUG_H

#include <stddef.h>

#include "engine/session.h"

struct debugger {
        /* Builds the debugger's argument vector.  `launch` is the descriptor for debug_become(), `up` that of the
         * region with struct wire_debug at offset `at`.  NULL when it cannot be done, after saying why. */
        char **(*command)(void *arg, const struct session *s, int launch, int up, size_t at);
        void *arg;
        int status; /* its exit status, as of waitpid() */
};

/* Runs the debugger until it ends.  A session status. */
int debug_launch(struct session *s, struct debugger *d);

/* The program that `launch` describes; returns only on failure (errno). */
void debug_become(int launch);

#endif
