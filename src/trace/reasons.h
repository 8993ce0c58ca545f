/*
 * The reasons why an exploration is not complete, in words, and the union of two sets of them.
 */
#ifndef HEDDLE_TRACE_REASONS_H
#define HEDDLE_TRACE_REASONS_H

#include <stddef.h>

#include "wire/reason.h"

#define REASON_TEXT  512u
#define REASONS_LINE 4096u

/* Adds all reasons of `from`, which may come from a target or a file: only what is well-formed is taken. */
void reasons_merge(struct reasons *to, const struct reasons *from);

/* Those that are about something which took part and was not watched. */
struct reasons reasons_not_covered(const struct reasons *r);

/* The i-th reason in the order of the report, in words; NULL: there are no more. */
const char *reasons_text(const struct reasons *r, uint32_t i, char buf[REASON_TEXT]);

/* All of them in one line. */
const char *reasons_line(const struct reasons *r, char buf[REASONS_LINE]);

#endif
