/* Parts of the object of `--json` (json.c). */
#ifndef HEDDLE_REPORT_JSON_FAILURE_H
#define HEDDLE_REPORT_JSON_FAILURE_H

#include <stdint.h>
#include <stdio.h>

#include "trace/finding.h"
#include "binary/symbols.h"

/* Where: file, line and function, null where unknown. */
void json_frame(FILE *f, const struct symbols_frame *frame);

/* A list of these; frames of the runtime are omitted. */
void json_stack(FILE *f, struct symbols *s, const uint64_t *sites, uint32_t n);

/* An object of `failures`. */
void json_failure(FILE *f, struct symbols *s, const struct finding *fd);

#endif
