/*
 * Sections that annotations mark: atomic ones, ignored ones, preemption points.
 *
 * An atomic section is one transition: it begins at a scheduling point, and its operations add to its footprint.  An
 * operation that must wait ends the transition; the section goes on when it may.
 */
#include "rt/core.h"
#include "rt/memory/torn.h"

void rt_atomic_begin(uintptr_t site)
{
        struct thread *t = rt_cur;

        if (t->atomic_depth == 0)
                op_log(t, op_arrive(t, OP_ATOMIC_BEGIN, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
        else
                t->pos++;
        t->atomic_depth++;
}

void rt_atomic_end(uintptr_t site)
{
        (void)site;
        rt_cur->pos++;
        if (rt_cur->atomic_depth)
                rt_cur->atomic_depth--;
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
                rt_cur->ignore_depth++;
        else if (rt_cur->ignore_depth)
                rt_cur->ignore_depth--;
}

void rt_name_object(const void *p, const char *name)
{
        struct wire_up *up = rt.up;
        uint32_t i = 0;

        while (i < up->n_labels && up->labels[i].addr != (uint64_t)(uintptr_t)p)
                i++;
        if (i == WIRE_MAX_LABELS) /* further names are not kept */
                return;
        up->labels[i].addr = (uint64_t)(uintptr_t)p;
        rt_text(up->labels[i].name, sizeof up->labels[i].name, name);
        if (i == up->n_labels)
                up->n_labels = i + 1;
}

void rt_note_incomplete(enum reason reason, const char *detail)
{
        reasons_add(&rt.up->reasons, reason, detail);
}
