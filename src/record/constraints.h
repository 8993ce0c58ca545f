/*
 * What an order of all events of an execution has to satisfy, if only the paths are known, counted as in table 6.4 of S. Huang's
 * thesis: the order of each thread, locks and threads (sync), and for each read which write it may read from and which others must
 * not come between (rw); for the paths alone; with the recorded times, where events of disjoint windows are ordered; and by
 * chains of writes that their core or their thread orders (algorithm 12 there).
 */
#ifndef HEDDLE_RECORD_CONSTRAINTS_H
#define HEDDLE_RECORD_CONSTRAINTS_H

#include "record/recording.h"
#include "trace/trace.h"

struct constraint_count {
        uint64_t order, sync, rw;
};

enum constraint_kind { CONSTRAINTS_PATHS, CONSTRAINTS_TIMED, CONSTRAINTS_CHAINS, CONSTRAINT_KINDS };

struct constraints {
        uint64_t events;
        struct constraint_count of[CONSTRAINT_KINDS];
};

/* `bits`: of each event of the trace, how far its thread was on its path.  0, -1: out of memory, or too many to be counted. */
MUST_CHECK int constraints_count(struct constraints *c, const struct recording *r, const struct trace *t,
                                 const uint32_t *bits);

#endif
