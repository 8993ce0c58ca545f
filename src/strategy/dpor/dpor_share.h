/* dpor, shared by several workers. */
#ifndef HEDDLE_STRATEGY_DPOR_DPOR_SHARE_H
#define HEDDLE_STRATEGY_DPOR_DPOR_SHARE_H

#include "strategy/share.h"

extern const struct share_ops dpor_share;

#endif
