/*
 * Ways out of cycles: an execution that came back to an earlier state may go on in the same way for ever.  Is there
 * another way to go on, one that ends?
 */
#ifndef HEDDLE_EXPLORE_ESCAPE_H
#define HEDDLE_EXPLORE_ESCAPE_H

#include "explore/session.h"

/* After an execution that ended with WIRE_END_CYCLE: runs it up to that state again, and goes on by chance, unless a way out
 * of that state is known.  Answers as session_run() does; the trace is another one then. */
int escape_look(struct session *s, bool *found);

#endif
