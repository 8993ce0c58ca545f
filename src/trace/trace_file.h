/*
 * Trace files: one execution with everything a report needs, for --trace, `replay` and `report`.
 * docs/FORMATS.md describes the format.
 */
#ifndef HEDDLE_TRACE_TRACE_FILE_H
#define HEDDLE_TRACE_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/trace.h"
#include "trace/trace_file_info.h"

#define TRACE_FILE_MAGIC   "heddle-trace"
#define TRACE_FILE_VERSION 1u

/* 0, or -1 when writing fails (errno tells). */
int trace_file_write(FILE *f, const struct trace *t, const struct trace_file_info *info);

/* Reads a file that is not trusted.  0 with a trace to be freed with free(), or -1 with a reason. */
MUST_CHECK int trace_file_read(FILE *f, struct trace **t, struct trace_file_info *info, struct error *why);

/* Does the file at `path` begin like a trace file? */
bool trace_file_is(const char *path);

#endif
