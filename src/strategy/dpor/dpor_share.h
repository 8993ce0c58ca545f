/* A part of dpor's stack that several explorers have in common. */
#ifndef HEDDLE_STRATEGY_DPOR_DPOR_SHARE_H
#define HEDDLE_STRATEGY_DPOR_DPOR_SHARE_H

#include "strategy/dpor/dpor.h"

extern const struct share_ops dpor_share;

/* A race with the transition of common node i: these are its initials, and `add` the one to be run from there. */
void dpor_tell_race(struct dpor *d, uint32_t i, const uint64_t *initials, uint32_t add);
/* The actor must go first from common node i, too. */
void dpor_tell_open(struct dpor *d, uint32_t i, uint32_t actor);

#endif
