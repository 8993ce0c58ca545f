/*
 * Trace files: one execution with everything a report needs, for --trace, `replay` and `report`.
 * docs/FORMATS.md describes the format.
 */
#ifndef HEDDLE_TRACE_TRACE_FILE_H
#define HEDDLE_TRACE_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/finding.h"
#include "trace/trace.h"

#define TRACE_FILE_MAGIC   "heddle-trace"
#define TRACE_FILE_VERSION 1u

/* What goes with the trace.  trace_file_read() allocates everything; trace_file_info_fini() frees it. */
struct trace_file_info {
        char *program;    /* path of the program as it was run */
        char **options;   /* of heddle, that a replay needs, NULL-terminated; NULL: none */
        char **argv;      /* its arguments, argv[0] included, NULL-terminated; NULL: none */
        char *schedule;   /* the schedule text */
        char *kind;       /* of the failure, as finding_kind_name() has it; NULL: no failure */
        char *message;    /* of the failure */
        uint32_t failure; /* its index in the trace's failures, UINT32_MAX: none of them */
        struct minimized minimized;
        struct finding_race *races;
        uint32_t n_races;
        uint32_t fingerprint;
        struct symbols *symbols; /* read: the names in the file, also trace->symbols; written: where they come from,
                                  * NULL: the modules of the trace */
};

/* 0, or -1 when writing fails (errno tells). */
int trace_file_write(FILE *f, const struct trace *t, const struct trace_file_info *info);

/* Reads a file that anybody may have written.  0 with a trace to be freed with free(), or -1 with a reason. */
int trace_file_read(FILE *f, struct trace **t, struct trace_file_info *info, char why[256]);
void trace_file_info_fini(struct trace_file_info *info);

/* Does the file at `path` begin like a trace file? */
bool trace_file_is(const char *path);

#endif
