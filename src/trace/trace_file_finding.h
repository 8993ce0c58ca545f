/* What a trace file says of the failure that the trace shows. */
#ifndef HEDDLE_TRACE_TRACE_FILE_FINDING_H
#define HEDDLE_TRACE_TRACE_FILE_FINDING_H

#include <stdio.h>

#include "base/words.h"
#include "trace/trace_file_info.h"

void filefinding_write(FILE *f, const struct trace_file_info *info);

/* Reads the rest of such a line: 1, 0 when `key` begins another kind of line, -1 and a message when it is broken. */
int filefinding_read(struct words *w, const char *key, struct trace_file_info *info);

/* Do its numbers lie in this trace? */
bool filefinding_fits(const struct trace_file_info *info, const struct trace *t);

#endif
