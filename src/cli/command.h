/*
 * The command line of `check` and `replay`: options, and what is to be run.
 */
#ifndef HEDDLE_CLI_COMMAND_H
#define HEDDLE_CLI_COMMAND_H

#include "cli/list.h"
#include "cli/option/options.h"
#include "report/report.h"

struct recording;

struct command {
        struct options options;
        struct list flags;                 /* for the compiler, each one word */
        struct list sources;               /* and objects to link with them */
        const char *program;               /* a built program; NULL: compile the sources */
        struct list args;                  /* of the program; of `report`: its files */
        struct list tail;                  /* what must follow a schedule on a command line that replays it: */
        size_t n_options;                  /* so many options first */
        char *schedule;                    /* of `replay`: the word or words before the program; NULL: none */
        const struct recording *recording; /* that the program runs along; NULL: none */
};

/* Reads the words after the command's name; no file is touched.  0, or STATUS_USAGE after saying what is wrong. */
int command_parse(struct command *c, enum options_command which, char **argv);

/* The options and words that were recorded with a trace: what the command line does not say is taken from them; either may
 * be NULL.  0, or STATUS_USAGE. */
int command_recall(struct command *c, enum options_command which, char **options, char **words);

/* Reads the .heddle file, checks or compiles the program, completes options.config.  0, or an exit status after saying
 * what is wrong. */
int command_prepare(struct command *c, enum options_command which);

/* The words of the reports.  The result belongs to the process. */
struct report_info command_report_info(const struct command *c);

#endif
