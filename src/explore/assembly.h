/* Inline assembly of the program: the updates and fences in it become operations. */
#ifndef HEDDLE_EXPLORE_ASSEMBLY_H
#define HEDDLE_EXPLORE_ASSEMBLY_H

#include "explore/session.h"

/* Tells the target about those in the instrumented modules.  What it cannot perform is left out of the exploration and
 * named in the result; under weak memory it is refused.  SESSION_OK, or why not. */
int assembly_find(struct session *s);

#endif
