/* What a trace file holds beside the trace. */
#ifndef HEDDLE_TRACE_TRACE_FILE_INFO_H
#define HEDDLE_TRACE_TRACE_FILE_INFO_H

#include <stdint.h>

#include "trace/finding.h"

/* trace_file_read() allocates everything; trace_file_info_fini() frees it. */
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

void trace_file_info_fini(struct trace_file_info *info);

#endif
