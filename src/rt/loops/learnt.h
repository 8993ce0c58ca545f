/*
 * What executions have shown of loops, as hashes that the explorer keeps (wire_down.wasted).
 */
#ifndef HEDDLE_RT_LOOPS_LEARNT_H
#define HEDDLE_RT_LOOPS_LEARNT_H

#include "rt/rt.h"
#include "rt/sched/end.h"

static inline bool learnt_has(uint64_t h)
{
        for (uint32_t i = (uint32_t)h % WIRE_MAX_WASTED; rt.down->wasted[i]; i = (i + 1) % WIRE_MAX_WASTED)
                if (rt.down->wasted[i] == h)
                        return true;
        return false;
}

/* One more, with which the exploration restarts. */
static inline _Noreturn void learnt_restart(uint64_t h)
{
        rt.up->wasted[0] = h;
        rt.up->n_wasted = 1;
        rt.up->restart = WIRE_RESTART_MUST;
        rt.up->n_loop_stack = 0;
        exec_end(WIRE_END_LOOP);
}

/* More is known than can be told, with which an exploration that is young restarts. */
static inline _Noreturn void learnt_more(void)
{
        rt.up->n_wasted = 0;
        rt.up->restart = WIRE_RESTART_BETTER;
        rt.up->n_loop_stack = 0;
        exec_end(WIRE_END_LOOP);
}

#endif
