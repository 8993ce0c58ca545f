/* Where signals arrive. */
#ifndef HEDDLE_RT_SIGNAL_POINTS_H
#define HEDDLE_RT_SIGNAL_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "op/op.h"

/* May a handler run at this operation? */
static inline bool delivery_at(uint32_t op)
{
        return op != OP_START && op != OP_END && op != OP_EXIT && op != OP_SIGNAL_POINT && op != OP_CANCELLED &&
               op != OP_CANCEL_POINT;
}

#endif
