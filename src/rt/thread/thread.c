/*
 * Threads: how they begin and end, and yield.
 *
 * A thread's slot follows from its causal name (parent, n-th child), so that equivalent executions give the same number
 * to the same thread.  Where every access is an event, a new thread is run at once up to its first visible operation:
 * no thread can tell what it does before that.
 */
#include "rt/thread/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "base/hash.h"
#include "rt/arch/x86_64/fiber.h"
#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/callstack_state.h"
#include "rt/sched/end.h"
#include "rt/sched/failure.h"
#include "rt/trace/log.h"
#include "rt/sched/marks.h"
#include "rt/sched/operation.h"
#include "rt/sched/path.h"
#include "rt/sched/pool.h"
#include "rt/sched/sched.h"
#include "rt/sched/section.h"
#include "rt/loops/tracking.h"
#include "rt/thread/handle.h"
#include "rt/sync/mutex.h"
#include "rt/thread/tls.h"
#include "rt/memory/shadow.h"
#include "rt/io/signal_object.h"
#include "rt/threads.h"
#include "rt/util.h"

#define MAX_STACK     ((size_t)1 << 30)
#define DEFAULT_STACK ((size_t)8 << 20)  /* has no need to be exact */
#define OF_LIBC       ((size_t)64 << 10) /* of a stack: thread-local variables and what libc keeps of a thread */

static bool is_name(uint32_t i, const struct thread *parent, uint32_t nth)
{
        return rt.up->names[i].parent == parent->id && rt.up->names[i].nth == nth;
}

static uint32_t slot_of(struct thread *parent, uint32_t nth)
{
        struct wire_up *up = rt.up;
        uint32_t n = up->n_names, guess = parent->last_child + 1u; /* mostly it made them one after the other */

        if (guess < n && is_name(guess, parent, nth))
                return guess;
        for (uint32_t i = 1; i < n; i++)
                if (is_name(i, parent, nth))
                        return i;
        if (n >= WIRE_MAX_THREADS - 1)
                thread_cut(parent, REASON_THREADS);
        up->names[n].parent = parent->id;
        up->names[n].nth = nth;
        up->n_names = n + 1;
        return n;
}

bool thread_has_others(const struct thread *t)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (i != t->id && threads[i].state != WIRE_T_UNUSED && !threads[i].handle.joined)
                        return true;
        return false;
}

/* A thread without visible operations gets signals, too: at the latest here. */
static void last_point(struct thread *t)
{
        position_step(t, 1);
        if (shadow_touch(t, SIGNAL_CELL(t->id), 8)) {
                op_log(t, op_arrive_counted(t, OP_PREEMPT, 0, 0, NULL, t->pend.site), WIRE_MODE_NONE, 0);
        } else if (RT_UNLIKELY(rt.segments)) { /* a turn where signals are known to be sent */
                t->pend = (struct pending){.op = OP_PREEMPT, .site = t->pend.site};
                t->turn.visible = false;
                sched_point(t);
        }
}

_Noreturn void thread_end(struct thread *t)
{
        enum arrival how;
        uintptr_t lent;
        uint32_t size;

        if (RT_UNLIKELY(rt.sends_signals) && rt.live)
                last_point(t);
        t->body.ending = true;
        thread_run_dtors(t);
        mutex_thread_ends(t, t->pend.site);
        t->turn.also_shared = rt.down->heap_checks && pool_lent(t->id, &lent, &size);
        how = op_arrive(t, OP_END, WIRE_OBJ_THREAD(t->id), 8, NULL, t->pend.site);
        op_log(t, how, WIRE_MODE_WRITE, 0);
        if (t->turn.also_shared)
                op_also(t, how, OP_FREE, lent, size, WIRE_MODE_WRITE, 0);
        sched_leave(t, WIRE_T_DONE);
}

/* On the new thread's own stack, at its first turn. */
static void entry(void)
{
        struct thread *t = rt_cur;

        position_step(t, 1);
        if (rt.preempt == WIRE_PREEMPT_SYNC)
                op_log(t, ARRIVE_EVENT, WIRE_MODE_NONE, 0);
        if (t->body.c11)
                t->body.retval = (void *)(intptr_t)((int (*)(void *))(uintptr_t)t->body.start)(t->body.arg);
        else
                t->body.retval = t->body.start(t->body.arg);
        thread_end(rt_cur);
}

/* Not all at the same place in a page, like stacks (pool.c). */
static struct wire_call *map_calls(uint32_t id)
{
        return (struct wire_call *)((char *)rt_map(RT_MAX_CALLS * sizeof(struct wire_call) + 4096) + id % 64 * 64);
}

static void thread_reset(struct thread *t, uint32_t id)
{
        struct wire_call *calls = t->stack.calls;

        rt_zero(t, sizeof *t);
        t->turn.last = ex.n_transitions;
        t->stack.calls = calls ? calls : map_calls(id);
        t->id = (uint16_t)id;
        t->tag = (uint16_t)(id + 1);
        position_mark(t, sched_fast_mark(t));
        t->state = WIRE_T_READY;
        position_patience(t, RT_PATIENCE);
        if (RT_UNLIKELY(rt.down->n_rules))
                mark_thread(t);
}

void thread_main_init(void)
{
        thread_reset(&threads[0], 0);
        position_patience(&threads[0], UINT32_MAX);
        threads[0].fiber.fs = fiber_thread_pointer();
        rt_text(threads[0].identity.name, sizeof threads[0].identity.name, "main");
        ex.n_threads = 1;
        rt.up->n_names = 1;
}

/* Attributes.  thread_create() has announced that it reads them: they are read without wrappers, whose hooks would let other
 * threads run in the middle of it. */

/* The priority that the attributes give, or that of the creator. */
static int32_t rank_of(const struct thread *parent, const pthread_attr_t *attr)
{
        struct sched_param param;
        int inherit = PTHREAD_INHERIT_SCHED;

        if (!attr || RT_REAL(pthread_attr_getinheritsched)(attr, &inherit) || inherit == PTHREAD_INHERIT_SCHED ||
            RT_REAL(pthread_attr_getschedparam)(attr, &param))
                return parent->identity.rank;
        return param.sched_priority;
}

/* The size of the stack that the attributes ask for; all stacks are of one size, which grows. */
static size_t stack_of(const pthread_attr_t *attr)
{
        size_t size;

        if (!attr || RT_REAL(pthread_attr_getstacksize)(attr, &size))
                return 0;
        if (size > MAX_STACK)
                rt_refuse("a thread with a stack of more than 1 GiB (ask for less)");
        if (size + OF_LIBC > (size_t)rt.down->stack_kb << 10 && size > DEFAULT_STACK)
                exec_end_text(WIRE_END_MORE_STACK, (uint32_t)((size + OF_LIBC + 4095) >> 12 << 2), "more stack");
        return size;
}

/* The guard that libc would put under the stack: whole pages.  One is always there (pool.c). */
static size_t guard_of(const pthread_attr_t *attr)
{
        size_t size = 1;

        if (attr && RT_REAL(pthread_attr_getguardsize)(attr, &size))
                size = 1;
        return (size + 4095) & ~(size_t)4095;
}

int thread_create(struct thread *t, pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                  bool c11, uintptr_t site)
{
        struct thread *n;
        enum arrival how;
        size_t stack;
        void *handle_value;
        uint32_t id;
        int detached = 0;

        snapshot_ensure();
        call_in(attr, sizeof *attr, site);
        stack = stack_of(attr);
        t->n_children++;
        t->last_child = id = slot_of(t, t->n_children);
        if (id >= pool_size())
                exec_end_text(WIRE_END_MORE_THREADS, id + 1, "more threads");
        handle_value = pool_handle(id);
        call_out(handle, &handle_value, sizeof handle_value, site);
        how = op_arrive(t, OP_CREATE, WIRE_OBJ_THREAD(id), 8, NULL, site);
        n = &threads[id];
        thread_reset(n, id);
        if (id >= ex.n_threads)
                ex.n_threads = id + 1;
        op_log(t, how, WIRE_MODE_NONE, 0)->choice = id;
        path_turn(&t->path);
        n->body.start = start;
        n->body.arg = arg;
        n->body.c11 = c11;
        n->clock.vtime = t->clock.vtime;
        n->clock.joined = t->clock.joined;
        n->pend.op = OP_START;
        n->pend.site = (uintptr_t)start + 1; /* sites are return addresses */
        n->pend.obj = WIRE_OBJ_THREAD(id);
        n->pend.size = 8;
        n->identity.rank = rank_of(t, attr);
        n->signals.mask = t->signals.mask;
        n->identity.stack_size = stack;
        n->identity.guard_size = guard_of(attr);
        if (attr && !RT_REAL(pthread_attr_getdetachstate)(attr, &detached) && detached == PTHREAD_CREATE_DETACHED) {
                n->handle.detached = 1;
                thread_handle_used(t, n, OP_CREATE, site);
        }
        pool_prepare(n, entry);
        if (rt.preempt != WIRE_PREEMPT_SYNC && !rt.segments && !rt.foreign) /* what comes first is seen */
                sched_eager(t, n);
        return 0;
}

RT_STUB(pthread_create, create_thread, "default")
int create_thread(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
        __attribute__((used, visibility("hidden")));
int create_thread(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
        struct thread *t = rt_cur;
        uint64_t h = hash_mix(hash_mix((uintptr_t)handle, (uintptr_t)attr), (uintptr_t)start);
        uintptr_t site = RT_STUB_SITE(); /* before the snapshot: other calls follow it */
        int e;

        if (!t) {
                if (rt.target)
                        rt_refuse("pthread_create before main (in a constructor of a library)");
                return RT_REAL(pthread_create)(handle, attr, start, arg);
        }
        snapshot_ensure_below((uintptr_t)spin_regs[6]);
        t->stack.inputs = hash_mix(h, (uintptr_t)arg) | 1;
        e = thread_create(t, handle, attr, start, arg, false, site);
        t->stack.inputs = 0;
        return e;
}

RT_STUB(sched_yield, entry_sched_yield, "default")
int entry_sched_yield(void) __attribute__((used, visibility("hidden")));
int entry_sched_yield(void)
{
        if (rt_cur)
                rt_yield_kernel(RT_STUB_SITE());
        return 0;
}
