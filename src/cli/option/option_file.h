/*
 * The words of a file of options.
 */
#ifndef HEDDLE_CLI_OPTION_OPTION_FILE_H
#define HEDDLE_CLI_OPTION_OPTION_FILE_H

#include "cli/list.h"

/* Splits a line into words, in place; quotes keep blanks together, and a # begins a comment.  The line must outlive the
 * words. */
void optfile_split(struct list *words, char *line);

/* The words of a file; none when there is no such file.  0, or -1 with errno. */
int optfile_read(struct list *words, const char *path);

#endif
