/*
 * The names in a trace file: places, data and functions, so that it can be reported without the program.
 */
#ifndef HEDDLE_TRACE_TRACE_FILE_NAMES_H
#define HEDDLE_TRACE_TRACE_FILE_NAMES_H

#include <stdio.h>

#include "base/words.h"
#include "binary/symbols.h"
#include "trace/trace.h"

/* Writes a line for every address in the trace that has a name. */
void filenames_write(FILE *f, const struct trace *t, struct symbols *s);

/* Reads the rest of such a line: 1, 0 when `key` begins another kind of line, -1 and a message when it is broken. */
int filenames_read(struct words *w, const char *key, struct symbols *s);

#endif
