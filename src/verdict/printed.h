/* What executions print on standard output: the distinct outputs. */
#ifndef HEDDLE_VERDICT_PRINTED_H
#define HEDDLE_VERDICT_PRINTED_H

#include "program/program.h"
#include "verdict/result.h"

/* Counts the output of the execution that was just run, if it came to its end.  RUN_OK, or ERROR_FAIL: out of memory. */
MUST_CHECK int printed_note(struct result *r, struct program *p, const struct trace *t);

/* Takes over an output that another part of the exploration met, with what it owns.  0, or -1: out of memory. */
MUST_CHECK int printed_merge(struct result *r, struct printed *o);

#endif
