/*
 * One entry of a trace in words.
 */
#ifndef HEDDLE_REPORT_STEP_H
#define HEDDLE_REPORT_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/store_delays.h"
#include "binary/symbols.h"

/* Entry i in words: "read x = 0", "lock m", "create T1".  `numbered`: where steps have numbers, stores that wait in a buffer
 * are reported by them.  The caller frees it; NULL: out of memory. */
char *step_text(struct symbols *s, const struct delays *d, uint32_t i, bool numbered);

/* What is stored or read: "x = 1". */
char *step_access(struct symbols *s, const struct wire_event *e);

#endif
