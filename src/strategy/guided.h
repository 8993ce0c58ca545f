/* The search for an execution that follows recorded paths (`heddle reproduce`). */
#ifndef HEDDLE_STRATEGY_GUIDED_H
#define HEDDLE_STRATEGY_GUIDED_H

#include "strategy/makers.h"

strategy_maker guided_create;

#endif
