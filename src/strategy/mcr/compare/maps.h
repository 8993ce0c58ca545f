/*
 * A second opinion on the search (--mcr checked): combinations of histories, one of each thread, are asked of the solver.
 *
 * A history goes up to the first join, or to the end of the thread.  The search has run some of the combinations.  The solver is
 * asked for each that the tries permit whether an order exists in which every read returns its value: of a search that is
 * complete these are exactly the ones that were run.  Histories with operations other than accesses to memory, mutexes, choices
 * and the creation of threads are not asked, nor programs in which threads read what others write after a join.
 */
#ifndef HEDDLE_STRATEGY_MCR_COMPARE_MAPS_H
#define HEDDLE_STRATEGY_MCR_COMPARE_MAPS_H

#include "smt/solver.h"
#include "strategy/mcr/seen.h"

/* The combination that these values of cells belong to. */
struct hash128 maps_hash(const struct tries *t, const uint64_t *now);

/* Asks the solver, at most `limit` times.  run: the combinations that the search has run.  How many were asked; a difference is a
 * fault of heddle. */
uint64_t maps_check(const struct tries *t, const struct seen *run, struct smt *smt, uint64_t limit);

#endif
