/* Failures that are nearest to a recorded one that was not reproduced. */
#ifndef HEDDLE_CLI_RECORD_NEAREST_H
#define HEDDLE_CLI_RECORD_NEAREST_H

#include "cli/command.h"
#include "record/recording.h"

/* Explores the program for so long, whatever its paths, and prints the failures that are most like the recorded one, each with the line that
 * replays it. */
void nearest_print(const struct command *c, const struct recording *r, double seconds);

#endif
