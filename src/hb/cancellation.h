/* What a cancelled thread would have done at its point. */
#ifndef HEDDLE_HB_CANCELLATION_H
#define HEDDLE_HB_CANCELLATION_H

#include "hb/clocks.h"

/* It ends at a point where it had not to wait, by a transition that is about to be pushed: e[0] looks at its cell, e[1] at what
 * it waited for.  The request without which it would have had to wait, or CAUSALITY_NONE.  false: out of memory. */
bool cancellation_enabler(struct causality *c, const struct wire_event *e, uint32_t *request);

#endif
