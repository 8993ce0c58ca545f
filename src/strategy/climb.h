/*
 * The search along recorded paths where the threads conflict at every step (guided.c): executions that end where a thread leaves its
 * path are continued from a little earlier, the longest ones first.
 */
#ifndef HEDDLE_STRATEGY_CLIMB_H
#define HEDDLE_STRATEGY_CLIMB_H

#include "base/error.h"
#include "strategy/strategy.h"

struct climb;

struct climb *climb_create(void); /* NULL: out of memory */
void climb_destroy(struct climb *c);
/* Forgets all executions. */
void climb_reset(struct climb *c);

/* The beginning of the next execution goes to the prefix.  The draw decides where there is a choice. */
void climb_next(struct climb *c, uint64_t draw, struct schedule *out);
/* ... and this is what it was.  0, or -ENOMEM. */
MUST_CHECK int climb_learn(struct climb *c, const struct trace *t);
/* Executions since one was longer than all before it. */
uint64_t climb_since(const struct climb *c);

#endif
