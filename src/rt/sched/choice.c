/* See choice.h. */
#include "rt/sched/choice.h"

#include "rt/fault.h"
#include "rt/sched/arrival.h"
#include "rt/sched/end.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/threads.h"

/* size: 1 for an allocation, 0 for a question of the program. */
static uint32_t choose(uint32_t n, uint32_t size, uintptr_t site)
{
        struct thread *t = rt_cur;
        struct wire_event *e;
        enum arrival how;
        uint32_t c;

        if (n == 0)
                rt_fault("heddle_choose(0): there is nothing to choose from");
        snapshot_ensure();
        how = op_arrive(t, OP_CHOOSE, 0, size, NULL, site);
        c = op_choice(n);
        if (c >= n)
                sched_diverged("thread %u has fewer values to choose from than before", t->id);
        e = op_log(t, how, WIRE_MODE_NONE, n);
        e->choice = c;
        e->next_choice = c + 1 < n ? c + 1 : WIRE_NO_CHOICE;
        if (rt.preempt ==
            WIRE_PREEMPT_SYNC) /* what each answer leads to is a block of its own, with its own footprint; a
                                                position does not depend on it */
                op_log(t, op_arrive_counted(t, OP_PREEMPT, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
        if (size && c)
                e->flags |= WIRE_EV_FAILED;
        return c;
}

bool rt_malloc_fails(uintptr_t site)
{
        struct thread *t = rt_cur;
        bool fails = t->alloc.no_memory;

        t->alloc.no_memory = false;
        if (fails || t->alloc.n_denied >= rt.down->fail_malloc)
                return fails;
        fails = choose(2, 1, site) == 1;
        t->alloc.n_denied += fails;
        return fails;
}

uint32_t rt_choose(uint32_t n, uintptr_t site)
{
        return choose(n, 0, site);
}
