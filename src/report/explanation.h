/*
 * A failure in one sentence: the few steps that matter, in their order.
 */
#ifndef HEDDLE_REPORT_EXPLANATION_H
#define HEDDLE_REPORT_EXPLANATION_H

#include "trace/finding.h"
#include "binary/symbols.h"

/* "lost update of count: T1 reads count = 0 (queue.c:41), then T2 writes count = 1 (queue.c:41), ...".  The caller frees it; NULL when there is
 * nothing to report, or out of memory. */
char *story_tell(struct symbols *s, const struct finding *f);

/* What repairs it ("hold mutex m at queue.c:41"), and the name of its pattern ("lost update").  As above. */
char *story_repair(struct symbols *s, const struct finding *f);
char *story_pattern(struct symbols *s, const struct finding *f);

/* The fences that forbid it, where stores waited in buffers.  As above. */
char *story_fences(struct symbols *s, const struct finding *f);

/* What was done to make it simple: "simplified to 1 preemption (found with 4)"; and the decision that matters:
 * "after step 7, T2 writes count = 1 (queue.c:41), the failure is unavoidable".  As above. */
char *story_minimized(const struct finding *f);
char *story_inflection(struct symbols *s, const struct finding *f);

#endif
