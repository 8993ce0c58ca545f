/*
 * The entries of an execution by place.  Entries of one thread with the same call stack have the same number, so that a question
 * about a line is asked once for each of these and not for each entry.
 */
#ifndef HEDDLE_REPORT_CAUSE_PLACES_H
#define HEDDLE_REPORT_CAUSE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

#define PLACES_NONE UINT32_MAX

struct places {
        uint32_t *order;    /* entries by number, those of a number in their order */
        uint32_t *first;    /* of each number, its first one in `order`; one more */
        uint32_t *number;   /* of each entry, NONE: it stands for a read at the end */
        uint32_t *previous; /* of each entry, the one before of the same thread; NONE */
        uint32_t n;         /* numbers */
};

/* false: out of memory. */
bool places_init(struct places *p, const struct trace *t);
void places_fini(struct places *p);

/* The latest entry of a number before this one; NONE. */
uint32_t places_latest(const struct places *p, uint32_t number, uint32_t before);

#endif
