/* Evidence: an execution that shows something new is run again, so that a report can show values and call stacks. */
#ifndef HEDDLE_ENGINE_EVIDENCE_H
#define HEDDLE_ENGINE_EVIDENCE_H

#include "engine/run.h"

/* Runs the schedule at hand once more in detail: r->trace is that run's.  Where that does not work out, or the user wants to
 * stop, it is what it was, in *plain, which the caller frees when it is done with the trace.  RUN_OK, RUN_GREW or below 0. */
MUST_CHECK int evidence_record(struct run *r, struct trace **plain);

/* The same behind a failure that ended the execution: what the rest of it would have shown.  RUN_OK and *ran, or below 0. */
MUST_CHECK int evidence_rest(struct run *r, bool *ran);

#endif
