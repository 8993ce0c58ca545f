/*
 * An execution as people tell it: stretches of one thread between two switches, each a few lines of text.
 */
#ifndef HEDDLE_REPORT_TIMELINE_H
#define HEDDLE_REPORT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/finding.h"
#include "binary/symbols.h"

enum stretch_style { STRETCH_PLACE, STRETCH_STEP, STRETCH_MORE, STRETCH_STOP, STRETCH_FAIL };

struct stretch_line {
        char *text;
        enum stretch_style style;
};

struct stretch {
        uint32_t actor;
        uint32_t first;     /* no entry of its thread before this one belongs to it */
        uint32_t last, end; /* its last entry, and the entry with another thread's turn that follows */
        struct stretch_line *lines;
        uint32_t n;
};

struct stretches {
        struct stretch *all;
        uint32_t n;
        bool failed; /* memory ran out: something is missing */
};

/* The stretches of a finding's trace; `verbose`: no step is omitted. */
void stretches_init(struct stretches *s, struct symbols *symbols, const struct finding *f, bool verbose);
void stretches_fini(struct stretches *s);

#endif
