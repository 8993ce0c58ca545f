/*
 * Deadlock: at the end of an execution no thread can run, and some wait.  Livelock: the same, but one of them waits in
 * a loop of its own making.  trace/waits.h says which thread waits for which.
 */
#include "analysis/observers.h"

static bool find(const struct trace *t, uint32_t k, enum finding_kind *kind, uint32_t *failure)
{
        if (t->end != WIRE_END_STUCK || k)
                return false;
        *kind = FINDING_DEADLOCK;
        *failure = UINT32_MAX;
        for (uint32_t i = 0; i < t->n_threads; i++)
                if (t->threads[i].state == WIRE_T_SPIN)
                        *kind = FINDING_LIVELOCK;
        return true;
}

const struct observer deadlock_observer = {.name = "deadlock", .find = find};
