/*
 * The cause of a failure: the pattern, and the steps that make it up.
 *
 * The search starts from what failed (the values that the condition read, the lock that is waited for, the block that was
 * freed) and follows it back, through the stores that decided those values and the reads that decided these stores.  A
 * cause is named only if the trace shows every step of it.
 */
#ifndef HEDDLE_REPORT_CAUSE_CAUSE_H
#define HEDDLE_REPORT_CAUSE_CAUSE_H

#include "report/cause/view.h"

enum cause_pattern {
#define PATTERN(name, text) CAUSE_##name,
#include "report/cause/pattern.def"
        CAUSE_PATTERNS
};

#define CAUSE_MAX_STEPS  8u
#define CAUSE_MAX_STORES 3u

struct cause {
        enum cause_pattern pattern;
        uint32_t steps[CAUSE_MAX_STEPS]; /* entries, in their order */
        uint32_t n_steps;
        uint32_t check, foreign, act;      /* the parts of a pattern, VIEW_NONE: it has none */
        uint32_t thread, other;            /* threads that it is about, WIRE_NO_ACTOR: none */
        uint64_t object;                   /* ... and the object, of this operation */
        uint32_t object_op;                /* OP_NONE: none */
        uint32_t stores[CAUSE_MAX_STORES]; /* CAUSE_WEAK: stores in a buffer that a read missed */
        uint32_t n_stores;
};

/* "lost update"; NULL for CAUSE_UNKNOWN and those that have no name. */
const char *cause_name(enum cause_pattern pattern);

/* Adds a step, which stay in order. */
void cause_add(struct cause *c, uint32_t i);

/* The cause of v->f.  CAUSE_UNKNOWN: not determined, with the steps that are known. */
void cause_find(struct view *v, struct cause *c);

/* Parts of the search: values that a condition read; waits that never end; blocks of the heap.  false: not determined. */
bool cause_values(struct view *v, struct cause *c);
bool cause_waits(struct view *v, struct cause *c);
bool cause_blocks(struct view *v, struct cause *c);

/* Follows the reads of this location back (cause_blocks). */
bool cause_conditions(struct view *v, struct cause *c, uint32_t entry);
bool cause_store(struct view *v, struct cause *c, uint32_t store);

#endif
