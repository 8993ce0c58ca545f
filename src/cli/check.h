/*
 * `heddle check`: explore a program.
 */
#ifndef HEDDLE_CLI_CHECK_H
#define HEDDLE_CLI_CHECK_H

#include "verdict/result.h"

/* The command, with the words after its name.  Returns an exit status. */
int check_main(char **argv);

/* The exit status of a result: a failure was found, everything is covered, or neither. */
int check_status(const struct result *r);

#endif
