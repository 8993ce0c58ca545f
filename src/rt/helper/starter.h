/*
 * The starter: a process beside the target that runs helpers for it.
 *
 * The filter of trap.c stays over fork and exec, so the target cannot start other programs.  The starter is made before the filter
 * is, if the program calls system() or a relative of it, and ends with the target.
 */
#ifndef HEDDLE_RT_HELPER_STARTER_H
#define HEDDLE_RT_HELPER_STARTER_H

#include <stdbool.h>
#include <stdint.h>

/* What the starter is sent with a request: descriptors in this order. */
enum starter_fd { STARTER_REQUEST, STARTER_DIRECTORY, STARTER_IN, STARTER_OUT, STARTER_ERR, STARTER_FDS };

/* The beginning of a request; then strings: the path, the arguments and the environment. */
struct starter_request {
        uint32_t n_args, n_env;
        uint32_t size;  /* of the whole */
        uint32_t umask; /* of the helper */
};

struct starter_answer {
        int32_t error; /* it could not be started */
        int32_t status;
        uint32_t late;   /* it did not end in time and was killed */
        uint32_t writes; /* it wrote to files */
};

#pragma GCC visibility push(hidden)

/* At the start of the program, before the filter. */
void starter_init(void);
/* Is there one? */
bool starter_is_there(void);
/* Runs a helper to its end. */
void starter_run(const int fds[STARTER_FDS], struct starter_answer *a);

#pragma GCC visibility pop

#endif
