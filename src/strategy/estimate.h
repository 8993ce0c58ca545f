/*
 * How much of a search tree is done, and how long the rest takes.
 *
 * A strategy that walks a tree depth first tells, for each run, where it left the path of the run before; when a report
 * wants to know, it tells for each node of the path how many children are known and how many have been entered.
 */
#ifndef HEDDLE_STRATEGY_ESTIMATE_H
#define HEDDLE_STRATEGY_ESTIMATE_H

#include <stdint.h>

#include "base/vec.h"

/* A run: it went another way from node `branch` (the root is 0) and came to `depth` transitions.  Of several from one
 * node only the last matters; those from deeper nodes are over. */
struct estimate_run {
        uint32_t branch, depth;
        double start, cost; /* in the unit of the caller */
};

struct estimate {
        VEC(struct estimate_run) runs; /* branches ascend */
        double spent;                  /* by all runs so far */
};

/* A node of the path: its children that are known to be needed, and those entered, the present one included. */
struct estimate_level {
        uint32_t marked, entered;
};

struct estimate_guess {
        double share; /* of the tree that is done, above 0 */
        double cost;  /* of the whole tree */
};

void estimate_reset(struct estimate *e);
void estimate_fini(struct estimate *e);

/* A run is done; -1 when out of memory. */
int estimate_add(struct estimate *e, uint32_t branch, uint32_t depth, double cost);

/* `level` tells of the nodes 0 to n - 1 of the path. */
struct estimate_guess estimate_guess(const struct estimate *e, uint32_t n,
                                     struct estimate_level (*level)(const void *arg, uint32_t i), const void *arg);

/* The share alone, which needs no runs. */
double estimate_share(uint32_t n, struct estimate_level (*level)(const void *arg, uint32_t i), const void *arg);

#endif
