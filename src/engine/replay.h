/* Replay: one schedule is run again. */
#ifndef HEDDLE_ENGINE_REPLAY_H
#define HEDDLE_ENGINE_REPLAY_H

#include "engine/session.h"
#include "trace/schedule.h"

/* What `replay` runs: a schedule text, or a list of threads, one for each transition. */
struct replay {
        const struct schedule_text *text; /* NULL: the list */
        const uint16_t *threads;
        uint32_t n_threads;
        enum finding_kind kind; /* of the failure that it is to show; FINDING_KINDS: any, if text says that it fails */
        bool steps;             /* every step is wanted: result->replayed */
        double minimize;        /* not 0: its failure is minimised within so many seconds, and no output is shown */
        struct debugger *debugger; /* NULL: none; else it is run under that (debug.h) */
};

/* Writes the text into the wire and the flags of the schedule.  RUN_OK or ERROR_USAGE. */
MUST_CHECK int replay_load(struct run *r, const struct schedule_text *text);

/* Runs the schedule and judges it, or runs the debugger on it.  *judged: the execution is there, and its failures are in the
 * result.  RUN_OK or below 0; ERROR_USAGE also for a schedule that cannot be followed, ERROR_FAIL where the same build of the
 * program failed by this schedule and does not any more. */
MUST_CHECK int replay_run(struct session *s, const struct replay *what, bool *judged);

/* Runs it once more, with the program's output shown. */
void replay_show(struct run *r);

#endif
