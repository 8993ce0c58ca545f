/* A failing execution made shorter by small changes. */
#ifndef HEDDLE_EXPLORE_SHORTEN_H
#define HEDDLE_EXPLORE_SHORTEN_H

#include "explore/plan.h"

/* Replaces *best by better plans that show the same failure, until none of the changes tried gives one, or q->until. */
void shorten(struct quest *q, struct plan *best);

#endif
