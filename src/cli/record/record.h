/* `heddle record`. */
#ifndef HEDDLE_CLI_RECORD_RECORD_H
#define HEDDLE_CLI_RECORD_RECORD_H

#include "record/recording.h"

/* The words after the command.  The exit status. */
int record_main(char **argv);

/* The failure of a recording in one line: its kind, and where it is.  Lives as long as the process. */
char *record_describe(const struct recording *r);

#endif
