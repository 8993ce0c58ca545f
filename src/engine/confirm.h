/* Before a program is called nondeterministic: is it, or is heddle wrong? */
#ifndef HEDDLE_ENGINE_CONFIRM_H
#define HEDDLE_ENGINE_CONFIRM_H

#include "engine/run.h"

/* Runs the execution at hand once more.  If that differs, and the difference is the program's, the trace ends as
 * WIRE_END_DIVERGED.  RUN_OK, or what run_schedule() says; ERROR_FAIL if the difference is ours. */
MUST_CHECK int confirm_first(struct run *r);

/* The trace at hand is another than the first one of the same schedule: it ends as WIRE_END_DIVERGED. */
void confirm_differs(struct run *r, const struct trace *first);

/* The trace at hand is one that diverged from its schedule.  RUN_OK: by the program's doing, and the trace is still
 * there; the rest as above. */
MUST_CHECK int confirm_diverged(struct run *r);

#endif
