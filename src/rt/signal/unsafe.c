/*
 * See unsafe.h.
 *
 * Which of them handlers use is learnt like shared memory: the exploration restarts with it.  Calls that libc makes by itself are not
 * places where handlers run, since it may hold locks there.
 */
#include "rt/signal/unsafe.h"

#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/sched/failure.h"
#include "rt/sched/operation.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/user/invariants.h"
#include "rt/world/modules.h"

#define CELLS 64u /* several streams may have one, which costs executions and loses none */

static uint64_t used[CELLS] __attribute__((aligned(8))); /* shared: a handler makes such calls */

static uintptr_t cell_of(const void *stream)
{
        return (uintptr_t)&used[(uintptr_t)stream * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

static void check(const struct thread *t, const void *stream, uintptr_t site)
{
        if (stream ? t->signals.in_stream == stream : t->signals.in_heap)
                rt_fail(WIRE_FAIL_MISUSE, site,
                        stream ? "a signal handler uses a stream while its thread is inside a call on the same stream: "
                                 "not "
                                 "async-signal-safe"
                               : "a signal handler uses the heap (malloc, free) while its thread is inside malloc or "
                                 "free: "
                                 "not async-signal-safe");
}

void unsafe_enter_slow(struct thread *t, const void *stream, uintptr_t site)
{
        bool heap = t->signals.in_heap;
        const void *before = t->signals.in_stream;

        if (watch_is(t) || t->section.txn || rt_site_in_libc(site))
                return;
        position_step(t, 1);
        if (t->signals.depth) {
                shadow_share(cell_of(stream));
                check(t, stream, site);
        }
        if (!rt.segments && !shadow_is_shared(cell_of(stream)))
                return;
        t->signals.in_heap = heap || !stream;
        t->signals.in_stream = stream ? stream : before;
        op_log(t, op_arrive_counted(t, OP_PREEMPT, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
        t->signals.in_heap = heap;
        t->signals.in_stream = before;
}
