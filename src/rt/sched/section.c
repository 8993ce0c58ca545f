/*
 * Sections that annotations mark: atomic ones, ignored ones, preemption points.
 *
 * An atomic section is one transition: it begins at a scheduling point, and its operations add to its footprint.  An
 * operation that must wait ends the transition; the section continues when it may.
 */
#include "rt/sched/section.h"

#include "rt/memory/unsettled.h"
#include "rt/position.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"

void rt_atomic_begin(uintptr_t site)
{
        struct thread *t = rt_cur;

        if (t->section.atomic == 0)
                op_log(t, op_arrive(t, OP_ATOMIC_BEGIN, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
        else
                position_step(t, 1);
        t->section.atomic++;
}

void rt_atomic_end(uintptr_t site)
{
        (void)site;
        position_step(rt_cur, 1);
        if (rt_cur->section.atomic)
                rt_cur->section.atomic--;
}

void rt_preempt(uintptr_t site)
{
        op_log(rt_cur, op_arrive(rt_cur, OP_PREEMPT, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
}

void rt_ignore(int delta)
{
        if (torn_open)
                torn_settle(rt_cur);
        if (delta > 0)
                rt_cur->section.ignored++;
        else if (rt_cur->section.ignored)
                rt_cur->section.ignored--;
}

void rt_yield_kernel(uintptr_t site)
{
        speculation_kernel(rt_cur);
        rt_yield(site);
}

void rt_yield(uintptr_t site)
{
        struct thread *t = rt_cur;

        position_step(t, 1);
        tail_yield(t);
        if (rt.preempt == WIRE_PREEMPT_SYNC && rt.live)
                op_log(t, op_arrive_counted(t, OP_PREEMPT, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
}
