/* See tracking.h. */
#include "rt/loops/tracking.h"

#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/threads.h"

uint32_t spin_watchers;
bool cycle_on;

void tracking_end(struct thread *t)
{
        if (!t->spin.solo && !t->spin.suspected && !t->spin.armed)
                position_mark(t, sched_fast_mark(t));
}

uint64_t sched_fast_mark(const struct thread *t)
{
        return t->spin.follows || t->section.txn || rt.segments || cycle_on || (rt.flags & WIRE_DETAIL)
                       ? RT_MARK_NONE
                       : shadow_mark(t);
}
