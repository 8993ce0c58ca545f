/*
 * What strategies that draw schedules have in common: how many are drawn, and from which seed.
 *
 * Several workers (--jobs) draw a part each.  Part 0 continues what was drawn before; the others begin with a seed of their own, and know
 * nothing of it.  They do not talk to each other.
 */
#ifndef HEDDLE_STRATEGY_DRAWS_H
#define HEDDLE_STRATEGY_DRAWS_H

#include "config/config.h"
#include "strategy/share.h"

struct draws {
        uint64_t seed;        /* the user's */
        uint64_t budget;      /* executions of all parts; 0: any number */
        bool counted;         /* --executions: the engine counts those of all workers */
        uint32_t part, parts; /* which one this is, and of how many */
};

/* All executions that the user wants. */
struct draws draws_of(const struct config *config);
/* The seed of this part. */
uint64_t draws_seed(const struct draws *d);
/* Is this part done after so many executions? */
bool draws_over(const struct draws *d, uint64_t executions);

/* A state begins with its part; the strategy's own state follows if draws_load() says so, else it is new.  in->failed: malformed. */
void draws_save(const struct draws *d, struct stream *out);
bool draws_load(struct draws *d, struct stream *in);
/* The divide() of a strategy (share.h), whose draws these are. */
bool draws_divide(struct strategy *s, struct draws *d, uint32_t n, parts_take *take, void *arg);

/* A worker shares nothing of its part. */
extern const struct share_ops draws_share;

#endif
