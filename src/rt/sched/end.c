/* See end.h.  The thread does not come back from an end: the controller restores memory, and the main thread continues
 * from the snapshot. */
#include "rt/sched/end.h"

#include "rt/arch/x86_64/fiber.h"
#include "rt/position.h"
#include "rt/sched/path.h"
#include "rt/trace/debug.h"
#include "rt/threads.h"
#include "rt/txn/guard.h"
#include "rt/util.h"

static void (*report)(uint32_t end);

void exec_set_report(void (*f)(uint32_t end))
{
        report = f;
}

void exec_over(void)
{
        report(WIRE_END_NONE);
}

_Noreturn void exec_end_text(uint32_t end, uint32_t step, const char *text)
{
        rt.up->step = step;
        rt_text(rt.up->text, WIRE_TEXT, text);
        exec_end(end);
}

/* The execution was over before, and has continued. */
static uint32_t end_over(uint32_t end)
{
        bool ended = end == WIRE_END_DONE || end == WIRE_END_FAILED;

        if (!ended && end != WIRE_END_STUCK && end != WIRE_END_DEPTH && end != WIRE_END_CYCLE)
                return end;
        ex.n_events = rt.up->n_events = ex.over_events;
        ex.n_transitions = ex.over_transitions;
        ex.n_failures = ex.over_failures;
        return ended ? WIRE_END_CUT : WIRE_END_TOGGLES;
}

_Noreturn void exec_end(uint32_t end)
{
        void *ignored;

        if (RT_UNLIKELY(ex.going_on))
                end = end_over(end);
        path_report();
        rt_run(NULL);
        guard_end();
        report(end);
        if (RT_UNLIKELY(rt.down->isolate == WIRE_ISOLATE_DEBUG))
                debug_end();
        fiber_switch(&ignored, rt.controller_sp, threads[0].fiber.fs);
        __builtin_unreachable();
}

_Noreturn void sched_diverged(const char *what, uint32_t actor)
{
        char text[WIRE_TEXT];

        rt_format(text, sizeof text, what, actor);
        exec_end_text(WIRE_END_DIVERGED, rt.segments ? ex.segment : ex.n_transitions, text);
}

void snapshot_ensure_below(uintptr_t frames)
{
        struct thread *t = rt_cur;

        if (RT_LIKELY(rt.live) || !rt.target)
                return;
        rt_run(NULL);
        t->fiber.frames = frames;
        fiber_switch(&t->fiber.sp, rt.controller_sp, t->fiber.fs);
}

void snapshot_ensure(void)
{
        snapshot_ensure_below(0);
}
