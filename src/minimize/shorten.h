/* A failing execution made shorter by small changes. */
#ifndef HEDDLE_MINIMIZE_SHORTEN_H
#define HEDDLE_MINIMIZE_SHORTEN_H

#include "minimize/decision_list.h"

/* Replaces *best by better plans that show the same failure, until none of the changes tried gives one, or q->until. */
void shorten(struct quest *q, struct plan *best);

#endif
