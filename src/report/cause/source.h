/*
 * The program's source text, line by line, and what a line says: which names a condition reads, which line assigns a
 * variable.  It is text, not a parse: an answer is a hint that the trace has to confirm.
 */
#ifndef HEDDLE_REPORT_CAUSE_SOURCE_H
#define HEDDLE_REPORT_CAUSE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct source_file;

struct sources {
        VEC(struct source_file *) files; /* owned */
};

#define SOURCE_NAMES 24u
#define SOURCE_NAME  64u

/* Names of variables, without fields and functions. */
struct source_names {
        char at[SOURCE_NAMES][SOURCE_NAME];
        uint32_t n;
};

void sources_fini(struct sources *s);

/* A line, from 1, without its end; NULL: it cannot be read. */
const char *source_line(struct sources *s, const char *file, uint32_t line);

/* Adds the variables that the text names; how many were new. */
uint32_t source_names_add(struct source_names *names, const char *text);

/* What the line gives one of these variables: the text behind the assignment; NULL: it assigns none of them. */
const char *source_assigns(const char *line, const struct source_names *names);

/* Does the line decide where the program continues (if, while, for, switch, ?:, assert)? */
bool source_decides(const char *line);

/* Does it leave the block: return, break, continue, goto? */
bool source_leaves(const char *line);

/* Columns of white space before the text; UINT32_MAX: there is no text, or a line of the preprocessor. */
uint32_t source_indent(const char *line);

#endif
