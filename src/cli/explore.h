/*
 * A whole exploration, and a whole replay: the parts of the engine, other explorers and minimisation put together.
 */
#ifndef HEDDLE_CLI_EXPLORE_H
#define HEDDLE_CLI_EXPLORE_H

#include "engine/loop.h"
#include "engine/replay.h"

/* Explores config->program.  Fills *r (freed by result_fini()); 0, or an error_status with `why`. */
MUST_CHECK int explore_program(const struct config *config, struct result *r, struct error *why, loop_progress progress,
                               void *arg);

/* Which leaks are failures is known at the end: several explorers may have run what one of them has to compare.  0, or
 * ERROR_FAIL: out of memory. */
MUST_CHECK int explore_settle(struct result *r, const struct config *config, struct error *why);

/* Runs one schedule, with the program's output shown.  Fills *r likewise; what replay_run() answers. */
MUST_CHECK int explore_replay(const struct config *config, const struct replay *what, struct result *r,
                              struct error *why);

#endif
