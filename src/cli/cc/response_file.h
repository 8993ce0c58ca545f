/*
 * Response files: @FILE on a compiler's command line stands for the words in FILE.
 */
#ifndef HEDDLE_CLI_CC_RESPONSE_FILE_H
#define HEDDLE_CLI_CC_RESPONSE_FILE_H

#include "cli/list.h"

/* Adds the words of `argv` to `out`, those of @FILE in its place.  A file that cannot be read stays the word it is, as
 * compilers have it. */
void response_expand(struct list *out, char **argv);

/* Would the system refuse so many bytes on a command line? */
int response_needed(const struct list *l);

/* Writes all words but the first to `path`, for @path.  0, or -1 with errno. */
int response_write(const struct list *l, const char *path);

#endif
