/*
 * What the user gets to see of an exploration: the terminal report, the JSON object, the live line, the steps of a
 * replay.  Input is a result or a trace, and nothing else.
 */
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "verdict/result.h"
#include "trace/trace.h"

/* How the exploration was asked for, in the words of the command line; strings may be NULL where nothing is known. */
struct report_info {
        const char *version;     /* of heddle */
        const char *program;     /* what the user called it */
        const char *strategy;    /* "dpor", ... */
        const char *memory;      /* "sc", ... */
        const char *preempt;     /* "all", "sync", ... */
        const char *replay_hint; /* what follows the schedule in the line that replays it: "-- ./prog a b", "prog.c" */
        bool keep_going;
        bool timeouts; /* explored */
        bool races;    /* looked for */
        bool single;   /* of one execution, replayed or read from a file: figures of an exploration say nothing */
        bool verbose;  /* nothing is collapsed */
        bool quiet;    /* the verdict and the replay lines only */
        bool color;
};

/* The terminal report: the failures with their schedules, or why there are none; outcomes; figures. */
void report_text(FILE *f, const struct report_info *info, const struct result *r);

/* What was covered, as the terminal says it of a result without failures; owned by the caller, NULL: out of memory. */
struct symbols;
char *text_scope(const struct report_info *info, const struct result *r, struct symbols *symbols);

/* The object of `--json`.  0, or -1 when it could not be written or memory ran out (errno says which). */
int report_json(FILE *f, const struct report_info *info, const struct result *r);

/* The page of `--html`, self-contained; `--sarif`; `--junit`.  0, or -1 as above. */
int report_html(FILE *f, const struct report_info *info, const struct result *r);
int report_sarif(FILE *f, const struct report_info *info, const struct result *r);
int report_junit(FILE *f, const struct report_info *info, const struct result *r);

/* How large the exploration is likely to be, as an object. */
void report_estimate(FILE *f, const struct stats *s);

/* How far a long exploration is: a line that overwrites itself, or is taken away (s NULL); a line of its own; an object in
 * a line. */
enum report_progress { REPORT_LIVE, REPORT_LINE, REPORT_OBJECT };
void report_progress(FILE *f, const struct stats *s, enum report_progress how);
/* The last object: all is over. */
void report_progress_end(FILE *f, const struct stats *s);

/* Every step of one execution: number, thread, function and place, operation, object, value. */
void report_steps(FILE *f, const struct report_info *info, const struct trace *t);

#endif
