/*
 * Reads that a source location depends on: those that give it values, and those that let the program come there.
 */
#ifndef HEDDLE_REPORT_CAUSE_INPUTS_H
#define HEDDLE_REPORT_CAUSE_INPUTS_H

#include "report/cause/view.h"

#define INPUTS_MAX 24u

struct inputs {
        uint32_t at[INPUTS_MAX]; /* entries, nearest first */
        uint32_t n;
};

static inline bool inputs_has(const struct inputs *in, uint32_t i)
{
        for (uint32_t k = 0; k < in->n; k++)
                if (in->at[k] == i)
                        return true;
        return false;
}

/* The reads of `actor` before entry `before` whose values the line of `p` uses: its own, and those of the lines that assigned
 * the local variables that it names, up to the call of the function. */
void inputs_values(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p, struct inputs *out);

/* The reads in the conditions that let `actor` come to `p`: of blocks around it, of blocks before it that would have left, and of
 * the calls that lead to it. */
void inputs_conditions(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p, struct inputs *out);

#endif
