/*
 * What --help prints.
 */
#ifndef HEDDLE_CLI_HELP_H
#define HEDDLE_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* The overview. */
void help_all(FILE *f);

/* Of one command, with its main options or all of them.  0, or -1 when there is no such command. */
int help_command(FILE *f, const char *command, bool all);

/* The names of all commands, separated by blanks. */
const char *help_commands(void);

#endif
