/* The recording that a program runs along: its paths and inputs, and the folder and environment it had. */
#ifndef HEDDLE_CLI_RECORD_INPUTS_H
#define HEDDLE_CLI_RECORD_INPUTS_H

#include "record/recording.h"

struct command;
struct wire_paths;

/* Reads a recording, and makes its paths.  An exit status other than 0: what is wrong has been said. */
MUST_CHECK int inputs_load(const char *file, struct recording *r, struct wire_paths **paths);

/* The same for --recording, if it was given: the program runs along the recording, once inputs_enter_given() was called. */
MUST_CHECK int inputs_load_given(struct command *c);
MUST_CHECK int inputs_enter_given(const struct command *c);

/* The program sees what it saw when it was recorded: from now on this process has that folder, environment and, if
 * asked for, standard input. */
MUST_CHECK int inputs_enter(const struct recording *r, bool input);

#endif
