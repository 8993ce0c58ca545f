/*
 * The way back from values: the stores that decided them, breadth first, so that the pattern nearest to the failure is found.
 */
#ifndef HEDDLE_REPORT_CAUSE_WALK_H
#define HEDDLE_REPORT_CAUSE_WALK_H

#include "report/cause/cause.h"
#include "report/cause/inputs.h"

#define WALK_STORES 48u

struct walk {
        struct view *v;
        struct cause *c;
        uint32_t stores[WALK_STORES]; /* visited, or to be */
        uint32_t n;
        uint32_t anchor; /* the read that the walk started from, VIEW_NONE: none */
};

/* The pattern is found: its parts become steps.  true. */
bool walk_found(struct walk *w, enum cause_pattern pattern, uint32_t check, uint32_t foreign, uint32_t act);

/* The store that decided read r will be visited. */
void walk_follow(struct walk *w, uint32_t r);

/* Visits all stores, and those that they depend on.  true: a pattern is found. */
bool walk_visit(struct walk *w);

/* Has what `check` read changed when its thread acts at entry `act`?  Then a pattern is found. */
bool walk_stale(struct walk *w, uint32_t check, uint32_t act);

/* Do two entries have different values, as far as is known? */
bool walk_differ(const struct view *v, uint32_t a, uint32_t b);

/* Is entry i made by a line that decides where the program continues? */
bool walk_decides(struct view *v, uint32_t i);

#endif
