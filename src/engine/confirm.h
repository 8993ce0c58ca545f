/* Before a program is called nondeterministic: is it, or is heddle wrong? */
#ifndef HEDDLE_ENGINE_CONFIRM_H
#define HEDDLE_ENGINE_CONFIRM_H

#include "engine/session.h"

/* Runs the execution at hand once more.  If that differs, and the difference is the program's, the trace ends as
 * WIRE_END_DIVERGED.  SESSION_OK, or what session_run() says; SESSION_FAIL with s->why if the difference is ours. */
int confirm_first(struct session *s);

/* The trace at hand is one that diverged from its schedule.  SESSION_OK: by the program's doing, and the trace is still
 * there; the rest as above. */
int confirm_diverged(struct session *s);

#endif
