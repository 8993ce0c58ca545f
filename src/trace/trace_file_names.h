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

/* ... for these: n places in the code and m addresses of data. */
void filenames_write_list(FILE *f, const uint64_t *places, uint32_t n, const uint64_t *data, uint32_t m,
                          struct symbols *s);

/* Reads the rest of such a line: 1, 0 when `key` begins another kind of line, -1 and a message when it is broken. */
int filenames_read(struct words *w, const char *key, struct symbols *s);

#endif
