/*
 * Lists of options, made from the table: for --help and for the man pages.
 */
#ifndef HEDDLE_CLI_OPTION_OPTION_LIST_H
#define HEDDLE_CLI_OPTION_OPTION_LIST_H

#include <stdio.h>

#include "cli/option/options.h"

/* The main options of a command, one line each.  Returns how many others there are. */
unsigned optlist_main(FILE *f, enum options_command command);

/* All options of a command. */
void optlist_all(FILE *f, enum options_command command);

/* The same as roff. */
void optlist_roff(FILE *f, enum options_command command);

#endif
