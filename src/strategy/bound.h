/* Bounds on the number of preemptions. */
#ifndef HEDDLE_STRATEGY_BOUND_H
#define HEDDLE_STRATEGY_BOUND_H

#include <stdint.h>

#define BOUND_NONE UINT32_MAX /* any number */

#endif
