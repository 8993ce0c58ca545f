/*
 * The files that a run writes: tried before it starts, written when it is over.
 */
#ifndef HEDDLE_CLI_OUTPUT_H
#define HEDDLE_CLI_OUTPUT_H

#include <stdbool.h>

#include "cli/command.h"
#include "trace/finding.h"

struct output {
        const char *path; /* NULL: not asked for */
        int fd;
        bool created; /* by us */
};

struct outputs {
        struct output json, trace;
};

/* Opens what the config asks for, without changing a file that is there.  0, or STATUS_USAGE after saying which one
 * cannot be written. */
int output_open(struct outputs *o, const struct config *config);

/* Writes the files and, unless JSON goes to standard output, the report there.  0, or STATUS_USAGE after saying what
 * could not be written. */
int output_write(struct outputs *o, const struct command *c, const struct report_info *info, const struct result *r);

/* Writes the JSON file alone. */
int output_json(struct outputs *o, const struct report_info *info, const struct result *r);

/* Forgets about them: the run failed.  Removes those that are new. */
void output_drop(struct outputs *o);

#endif
