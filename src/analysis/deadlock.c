/*
 * Deadlock: at the end of an execution no thread can run, and some wait.  Livelock: the same, but one of them waits in
 * a loop of its own making.  Who waits for whom is in trace/waits.h.
 */
#include "analysis/deadlock.h"

bool deadlock_observe(const struct trace *t, enum finding_kind *kind)
{
        if (t->end != WIRE_END_STUCK)
                return false;
        *kind = FINDING_DEADLOCK;
        for (uint32_t i = 0; i < t->n_threads; i++)
                if (t->threads[i].state == WIRE_T_SPIN)
                        *kind = FINDING_LIVELOCK;
        return true;
}
