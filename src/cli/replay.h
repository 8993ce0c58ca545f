/*
 * `heddle replay`, and the schedule that it and others run.
 */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

#include "cli/command.h"
#include "engine/replay.h"

int replay_main(char **argv);

/* What to say where the schedule shows no failure. */
const char *replay_no_failure(const struct replay *what, const struct result *r);

/* Reads the schedule of the command line into *what (and *parsed, for schedule_fini()) and prepares the program.  0, or an
 * exit status after saying what is wrong; `name` is the command's. */
int replay_prepare(struct command *c, enum options_command which, const char *name, struct replay *what,
                   struct schedule_text *parsed);

#endif
