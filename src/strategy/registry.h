/* What strategies there are, and what each can do: the table strategies.def. */
#ifndef HEDDLE_STRATEGY_REGISTRY_H
#define HEDDLE_STRATEGY_REGISTRY_H

#include "strategy/makers.h"

enum strategy_can {
        STRATEGY_PROVES = 1 << 0,  /* when next() says 0, the space is covered */
        STRATEGY_REDUCES = 1 << 1, /* excludes executions because of what it knows of memory accesses */
        STRATEGY_SHARES = 1 << 2,  /* --jobs: what is made for several workers has share_ops */
        STRATEGY_BOUNDS = 1 << 3,  /* --bound: counts preemptions itself */
        STRATEGY_BOUNDED =
                1 << 4, /* --bound: the bounded search takes its place, with the reduction that a bound permits */
        STRATEGY_POINTS = 1 << 5,   /* chooses the preemption points, from the races */
        STRATEGY_CYCLES = 1 << 6,   /* executions that return to an earlier state are looked for */
        STRATEGY_STATES = 1 << 7,   /* ... and where there are any, a search over states takes its place */
        STRATEGY_MATCHES = 1 << 10, /* ... and where that is expected to be shorter */
        STRATEGY_PARTS = 1 << 9,    /* --shard, --spool, --cluster: what is made has parts_ops, or share_ops */
        STRATEGY_DRAWS = 1 << 11,   /* --jobs: every worker draws a part of its own (draws.h) */
        STRATEGY_ALONE = 1 << 8,    /* --jobs: explores in one process; the workers are for what may take its place */
};

struct strategy_row {
        const char *name;
        uint32_t can; /* a set of strategy_can */
        strategy_maker *make;
};

/* The row with this number: config.strategy is one. */
const struct strategy_row *strategy_row(uint32_t number);
/* Can it do one of these? */
bool strategy_can(uint32_t number, uint32_t can);

/* All names, each with a space after it; and the help of --strategy. */
extern const char strategy_words[], strategy_help[];

/* The strategy that was asked for; NULL: out of memory.  blocks: as in makers.h. */
struct strategy *strategy_create(const struct config *config, bool blocks);
/* The strategy that takes the place of one that meets something that it does not model. why: what that is. */
struct strategy *strategy_create_instead(const struct config *config, bool blocks, const char *why);
/* The search over states that takes the place of one that can STATES. */
struct strategy *strategy_create_states(const struct config *config, bool blocks);
/* ... without probes: does it end soon? */
struct strategy *strategy_create_trial(const struct config *config, bool blocks);

#endif
