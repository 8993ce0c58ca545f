/* The accesses of an execution so far, by the memory that they touch; a part of struct causality. */
#ifndef HEDDLE_HB_HISTORY_H
#define HEDDLE_HB_HISTORY_H

#include "hb/clocks.h"

/* What an access conflicts with: transitions into `found`, those it only had to wait for into `ordered`, and those that a
 * blocking operation races with into `blockers` and `direct`.  `head` is the latest access to the granule; `self` the
 * transition of the access, NONE if it did not run.  false: out of memory, here and below. */
bool history_conflicts(struct causality *c, uint32_t head, uint32_t self, const struct wire_access *a, bool blocks,
                       uint32_t mask);

/* An operation that `head` and those before it keep from running could run without transition t if all others of the same
 * kind came first: adds to the clock what happens before these. */
void history_others(const struct causality *c, uint32_t head, uint32_t t, uint32_t *clock);

/* Adds the access to its histories, having looked for conflicts in each. */
bool history_access(struct causality *c, const struct wire_event *e, uint32_t trans, bool first);

/* From now on transition `trans` is a read. */
bool history_read(struct causality *c, uint64_t obj, uint32_t size, uint32_t trans);

/* Calls `found` for every transition that touches what the access does in a conflicting mode and does not happen before
 * c->base, until it answers false. */
bool history_each(const struct causality *c, const struct wire_access *a,
                  bool (*found)(void *arg, uint32_t i, uint32_t actor), void *arg);

#endif
