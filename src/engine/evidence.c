/*
 * Running an execution again for its details.  A run in detail that differs is not believed: a plain one takes its place.  Where
 * that differs, too, what was found cannot be shown again, and two runs of one schedule differ.
 */
#include "engine/evidence.h"

#include <stdlib.h>

#include "engine/confirm.h"
#include "verdict/verdict.h"

int evidence_record(struct run *r, struct trace **plain)
{
        uint32_t end = r->trace.end, n_failures = r->trace.n_failures;
        int e;

        *plain = NULL;
        if (verdict_loops(&r->trace) || end == WIRE_END_DIVERGED)
                return RUN_OK;
        *plain = trace_copy(&r->trace);
        if (!*plain)
                return error_memory(r->program->why);
        e = run_schedule(r, WIRE_DETAIL, 0);
        if (e == RUN_OK && (r->trace.end != end || r->trace.n_failures != n_failures))
                e = run_schedule(r, 0, 0);
        if (e == RUN_OK && (r->trace.end != end || r->trace.n_failures != n_failures))
                confirm_differs(r, *plain);
        if (e == RUN_OK) {
                free(*plain);
                *plain = NULL;
                return RUN_OK;
        }
        r->trace = **plain;
        return e < 0 || e == RUN_GREW ? e : RUN_OK;
}

int evidence_rest(struct run *r, bool *ran)
{
        const struct config *c = r->program->config;
        int e;

        *ran = false;
        if (c->keep_going || c->ignored || c->races == RACES_OFF || c->replay || r->trace.end != WIRE_END_FAILED ||
            verdict_loops(&r->trace))
                return RUN_OK;
        e = run_schedule(r, WIRE_KEEP_GOING | WIRE_DETAIL, 0);
        *ran = e == RUN_OK;
        return e < 0 ? e : RUN_OK;
}
