/*
 * Threads: create, join, detach, exit, yield, names, keys, and their end.
 *
 * A thread's slot follows from its causal name (parent, n-th child), so that equivalent executions give the same number
 * to the same thread.  Where every access is an event, a new thread is run at once up to its first visible operation:
 * what it does before that, nobody can tell.
 */
#include <errno.h>
#include <pthread.h>
#include <unwind.h>

#include "rt/core.h"
#include "rt/spin.h"
#include "rt/tail.h"

static uint32_t slot_of(struct thread *parent, uint32_t nth)
{
        struct wire_up *up = rt.up;
        uint32_t n = up->n_names;

        for (uint32_t i = 1; i < n; i++)
                if (up->names[i].parent == parent->id && up->names[i].nth == nth)
                        return i;
        if (n >= WIRE_MAX_THREADS - 1)
                rt_fault("more than 1000 threads");
        up->names[n].parent = parent->id;
        up->names[n].nth = nth;
        up->n_names = n + 1;
        return n;
}

static struct thread *by_handle(pthread_t handle)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state != WIRE_T_UNUSED && threads[i].fs == (void *)handle)
                        return &threads[i];
        return NULL;
}

static _Noreturn void end_of(struct thread *t)
{
        thread_run_dtors(t);
        sched_leave(t, WIRE_T_DONE);
}

/* On the new thread's own stack, at its first turn. */
static void entry(void)
{
        struct thread *t = rt_cur;

        t->pos++;
        if (rt.preempt == WIRE_PREEMPT_SYNC)
                op_log(t, ARRIVE_EVENT, WIRE_MODE_NONE, 0);
        t->retval = t->start(t->arg);
        end_of(rt_cur);
}

static void thread_reset(struct thread *t, uint32_t id)
{
        uintptr_t *calls = t->calls;

        rt_zero(t, sizeof *t);
        t->calls = calls ? calls : rt_map(RT_MAX_CALLS * sizeof *t->calls);
        t->id = (uint16_t)id;
        t->tag = (uint16_t)(id + 1);
        t->fast_mark = sched_fast_mark(t);
        t->state = WIRE_T_READY;
        t->patience = RT_PATIENCE;
}

void thread_main_init(void)
{
        thread_reset(&threads[0], 0);
        threads[0].fast_mark = 0; /* until the snapshot nobody owns anything */
        threads[0].patience = UINT32_MAX;
        threads[0].fs = fiber_thread_pointer();
        rt_text(threads[0].name, sizeof threads[0].name, "main");
        ex.n_threads = 1;
        rt.up->n_names = 1;
}

RT_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
        struct thread *t = rt_cur, *n;
        enum arrival how;
        struct wire_event *e;
        uint32_t id;
        int detached = 0;

        if (!t) {
                if (rt.target)
                        rt_refuse("pthread_create before main (in a constructor of a library)");
                return RT_REAL(pthread_create)(handle, attr, start, arg);
        }
        snapshot_ensure();
        t->n_children++;
        id = slot_of(t, t->n_children);
        if (id >= pool_size())
                exec_end_text(WIRE_END_MORE_THREADS, id + 1, "more threads");
        how = op_arrive(t, OP_CREATE, WIRE_OBJ_THREAD(id), 8, NULL, RT_SITE());
        n = &threads[id];
        thread_reset(n, id);
        if (id >= ex.n_threads)
                ex.n_threads = id + 1;
        e = op_log(t, how, WIRE_MODE_NONE, 0);
        e->choice = id;
        n->start = start;
        n->arg = arg;
        n->vtime = t->vtime;
        n->pend.op = OP_START;
        n->pend.site = (uintptr_t)start + 1; /* sites are return addresses */
        n->pend.obj = WIRE_OBJ_THREAD(id);
        n->pend.size = 8;
        if (attr && !pthread_attr_getdetachstate(attr, &detached) && detached == PTHREAD_CREATE_DETACHED)
                n->detached = 1;
        pool_prepare(n, entry);
        *handle = (pthread_t)n->fs;
        if (rt.preempt != WIRE_PREEMPT_SYNC && !rt.segments)
                sched_eager(t, n);
        return 0;
}

RT_EXPORT int pthread_join(pthread_t handle, void **value)
{
        struct thread *t = rt_cur, *n;
        enum arrival how;
        struct wire_event *e;

        if (!t) {
                return RT_REAL(pthread_join)(handle, value);
        }
        n = by_handle(handle);
        if (!n || n->joined)
                return ESRCH;
        if (n->detached)
                return EINVAL;
        if (n == t)
                return EDEADLK;
        t->pend.peer = n->id;
        how = op_arrive(t, OP_JOIN, WIRE_OBJ_THREAD(n->id), 8, NULL, RT_SITE());
        e = op_log(t, how, WIRE_MODE_NONE, 0);
        e->choice = n->id;
        n->joined = 1;
        n->joined_by = t->id;
        if (n->vtime > t->vtime)
                t->vtime = n->vtime;
        if (value)
                *value = n->retval;
        return 0;
}

RT_EXPORT int pthread_detach(pthread_t handle)
{
        struct thread *n;

        if (!rt_cur) {
                return RT_REAL(pthread_detach)(handle);
        }
        n = by_handle(handle);
        if (!n)
                return ESRCH;
        if (n->detached)
                return EINVAL;
        n->detached = 1;
        return 0;
}

/* pthread_exit unwinds the stack, so that destructors and cleanup code run, down to the bottom of the fiber. */
static _Unwind_Reason_Code unwind_stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                       struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *arg)
{
        (void)version;
        (void)class;
        (void)exception;
        (void)context;
        if (actions & _UA_END_OF_STACK)
                end_of(arg);
        return _URC_NO_REASON;
}

RT_EXPORT void pthread_exit(void *value)
{
        static struct _Unwind_Exception exceptions[WIRE_MAX_THREADS];
        struct thread *t = rt_cur;

        if (!t) {
                static __typeof__(pthread_exit) *real;
                if (!real)
                        real = rt_real("pthread_exit");
                real(value);
                __builtin_unreachable();
        }
        t->retval = value;
        rt_zero(&exceptions[t->id], sizeof exceptions[0]);
        _Unwind_ForcedUnwind(&exceptions[t->id], unwind_stop, t);
        end_of(t);
}

static void yield(struct thread *t)
{
        t->pos++;
        tail_yield(t);
        if (rt.preempt == WIRE_PREEMPT_SYNC && rt.live)
                op_log(t, op_arrive_counted(t, OP_PREEMPT, 0, 0, NULL, RT_SITE()), WIRE_MODE_NONE, 0);
}

RT_EXPORT int sched_yield(void)
{
        if (rt_cur)
                yield(rt_cur);
        return 0;
}

void rt_yield(uintptr_t site)
{
        (void)site;
        yield(rt_cur);
}

RT_EXPORT int pthread_setname_np(pthread_t handle, const char *name)
{
        struct thread *n;

        if (!rt_cur) {
                return RT_REAL(pthread_setname_np)(handle, name);
        }
        n = by_handle(handle);
        if (!n)
                return ESRCH;
        rt_text(n->name, 16, name);
        return 0;
}

RT_EXPORT int pthread_getname_np(pthread_t handle, char *to, size_t size)
{
        struct thread *n;

        if (!rt_cur) {
                return RT_REAL(pthread_getname_np)(handle, to, size);
        }
        n = by_handle(handle);
        if (!n)
                return ESRCH;
        rt_text(to, size, n->name);
        return 0;
}
