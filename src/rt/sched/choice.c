/* See choice.h. */
#include "rt/sched/choice.h"

#include "rt/fault.h"
#include "rt/sched/arrival.h"
#include "rt/sched/end.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"

/* Does the schedule have a choice value for the operation under way?  Then it is in *answer.  Only operations with CHOICES
 * may ask, since inside an atomic section they alone are transitions of their own, and a waiter that is cancelled, for the thread
 * that its signal goes to. */
static bool answered(uint32_t *answer)
{
        const struct wire_down *d = rt.down;

        if (RT_UNLIKELY(!op_has(rt_cur->pend.op, OPF_CHOICES | OPF_RELOCKS)))
                rt_fault("internal: an operation asks for a choice value and its row in op.def has no CHOICES");
        if (!rt.segments) {
                *answer = ex.choice;
                return ex.choice != WIRE_NO_CHOICE;
        }
        if (ex.choice_next >= d->n_choices)
                return false;
        *answer = d->choices[ex.choice_next++];
        return true;
}

uint32_t op_choice(uint32_t count)
{
        uint32_t c;

        if (answered(&c) && (c < count || !ex.hinted))
                return c;
        return tail_chance() && ex.n_transitions >= rt.n_prefix ? (uint32_t)(tail_random() % count) : 0;
}

/* Is a value in the list? */
static bool listed(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg, uint32_t value)
{
        uint32_t c = first;

        while (c && c != value)
                c = after(arg, c);
        return c != 0;
}

uint32_t op_choice_of(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg)
{
        uint32_t n = 1, c;

        if (answered(&c) && (!ex.hinted || listed(first, after, arg, c)))
                return c;
        if (tail_contrary())
                while ((c = after(arg, first)) != 0)
                        first = c;
        if (!tail_chance() || ex.n_transitions < rt.n_prefix)
                return first;
        for (c = first; (c = after(arg, c)) != 0;)
                n++;
        for (c = (uint32_t)(tail_random() % n); c; c--)
                first = after(arg, first);
        return first;
}

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
