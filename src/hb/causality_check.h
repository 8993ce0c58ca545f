/* The invariants of the happens-before relation. */
#ifndef HEDDLE_HB_CAUSALITY_CHECK_H
#define HEDDLE_HB_CAUSALITY_CHECK_H

#include "hb/clocks.h"

/* Do they hold?  For the transitions from `from` on and their accesses, and for all actors: clocks are transitive and contain
 * program order, histories go back in time, the lists of actors are those of the transitions. */
bool causality_check(const struct causality *c, uint32_t from);

#endif
