/* Conflicts on objects whose operations may commute although they write; part of causality.c. */
#ifndef HEDDLE_HB_COMMUTING_H
#define HEDDLE_HB_COMMUTING_H

#include "hb/clocks.h"

/* Adds what an access conflicts with to the scratch lists of `c`: the history of its granule begins at `head`, its own
 * transition is `self` (CAUSALITY_NONE: it is blocked at the end).  `blocks`: it may have had to wait.  false: out of memory. */
bool commuting_conflicts(struct causality *c, uint32_t head, uint32_t self, const struct wire_access *a, bool blocks,
                         uint32_t mask);

/* The accesses from `from` on belong to a transition with this clock: which of them are cuts? */
void commuting_mark_cuts(struct causality *c, uint32_t from, const uint32_t *clock);

#endif
