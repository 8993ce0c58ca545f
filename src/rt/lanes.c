/* Vector accesses under a mask, as a target performs them: each lane is a copy of its own. */
#include "rt/lanes.h"

#include "rt/range.h"

LANES(range_copy)
