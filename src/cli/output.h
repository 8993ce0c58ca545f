/*
 * The files that a run writes: tried before it starts, written when it is over.
 */
#ifndef HEDDLE_CLI_OUTPUT_H
#define HEDDLE_CLI_OUTPUT_H

#include <stdbool.h>

#include "cli/command.h"
#include "verdict/result.h"

struct output {
        const char *path; /* NULL: not asked for */
        int fd;
        bool created; /* by us */
};

enum output_kind { OUTPUT_JSON, OUTPUT_HTML, OUTPUT_SARIF, OUTPUT_JUNIT, OUTPUT_TRACE, OUTPUT_KINDS };

struct outputs {
        struct output files[OUTPUT_KINDS];
};

/* Opens what the config asks for, without changing a file that is there.  0, or STATUS_USAGE after saying which one
 * cannot be written. */
int output_open(struct outputs *o, const struct config *config);

/* Is any file asked for?  Does one go to standard output, so that nothing else may? */
bool output_any(const struct outputs *o);
bool output_takes_stdout(const struct outputs *o);

/* Writes the files and, if `text` and none of them goes to standard output, the report there.  0, or STATUS_USAGE after
 * saying what could not be written. */
int output_write(struct outputs *o, const struct command *c, const struct report_info *info, const struct result *r,
                 bool text);

/* Forgets about them: the run failed.  Removes those that are new. */
void output_drop(struct outputs *o);

#endif
