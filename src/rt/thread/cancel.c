/*
 * Cancellation, cleanup handlers, and the unwinding of a thread that ends before its function returns.
 *
 * A request is a write of the target's cell WIRE_OBJ_CANCEL, a cancellation point a read of it.  The cell is private to
 * its thread as long as no thread cancels it, so points cost nothing in programs without pthread_cancel.
 *
 * A thread that was asked to end does so at its next point, also where what it waits for has come as well; that it
 * continues instead is the execution in which its operation comes before the request, which the conflict on the cell brings.
 * Its end is a read of what it waits for.  If it has to wait there, its end is an operation that was not enabled before the
 * request (CANCELLED); if it has not, the explorer asks whether that came about without the request (cancellation.c).
 *
 * Asynchronous cancellation is not modelled: a request to a thread that permits it is refused.
 */
#include "rt/thread/cancel.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/fault.h"
#include "rt/memory/shadow.h"
#include "rt/real.h"
#include "rt/sched/enabled.h"
#include "rt/sched/failure.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/thread/awaited.h"
#include "rt/thread/handle.h"
#include "rt/sync/object.h"
#include "rt/thread/thread.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/util.h"

/* What pthread_cleanup_push leaves on the stack in C, with its padding used by us. */
struct handler {
        struct __cancel_jmp_buf_tag jump;
        struct handler *outer;
        uintptr_t sp;      /* of the function that pushed it */
        uintptr_t n_calls; /* of the shadow call stack there */
};

static struct _Unwind_Exception exceptions[WIRE_MAX_THREADS];

static _Unwind_Reason_Code unwind_stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                       struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *arg)
{
        struct thread *t = arg;
        struct handler *h = t->cancel.cleanup;
        bool bottom = (actions & _UA_END_OF_STACK) != 0;

        (void)version;
        (void)class;
        (void)exception;
        if (h && (bottom || _Unwind_GetCFA(context) >= h->sp)) {
                jmp_buf jump;

                calls_set(t, (uint32_t)h->n_calls);
                rt_copy(&jump, &h->jump, sizeof h->jump); /* the signal mask is not in it */
                longjmp(jump, 1);                         /* it comes back in __pthread_unwind_next() */
        }
        if (bottom)
                thread_end(t);
        return _URC_NO_REASON;
}

/* A handler of the program caught what is not an exception, and kept it. */
static void swallowed(_Unwind_Reason_Code reason, struct _Unwind_Exception *e)
{
        (void)reason;
        (void)e;
        rt_fail(WIRE_FAIL_ABORT, RT_SITE(), "a catch (...) without rethrow stopped a thread from ending");
}

static _Noreturn void unwind(struct thread *t)
{
        struct _Unwind_Exception *e = &exceptions[t->id];

        rt_zero(e, sizeof *e);
        e->exception_cleanup = swallowed;
        _Unwind_ForcedUnwind(e, unwind_stop, t);
        thread_end(t);
}

_Noreturn void thread_exit(struct thread *t, void *value)
{
        t->body.retval = value;
        t->stack.via = 0;
        t->body.ending = true;
        unwind(t);
}

RT_EXPORT void pthread_exit(void *value)
{
        static __typeof__(pthread_exit) *real;

        if (rt_cur)
                thread_exit(rt_cur, value);
        if (!real)
                real = rt_real("pthread_exit");
        real(value);
        __builtin_unreachable();
}

/* Cleanup handlers in C.  In C++, and in C with -fexceptions, they are destructors. */

static void push(__pthread_unwind_buf_t *buf, uintptr_t sp)
{
        struct handler *h = (struct handler *)(void *)buf;

        h->outer = rt_cur->cancel.cleanup;
        h->sp = sp;
        h->n_calls = calls_under_way(rt_cur);
        rt_cur->cancel.cleanup = h;
}

#define CALLERS_SP() ((uintptr_t)__builtin_frame_address(0) + 16)

RT_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t *buf)
{
        if (rt_cur)
                push(buf, CALLERS_SP());
        else
                RT_REAL(__pthread_register_cancel)(buf);
}

RT_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf)
{
        if (rt_cur)
                rt_cur->cancel.cleanup = ((struct handler *)(void *)buf)->outer;
        else
                RT_REAL(__pthread_unregister_cancel)(buf);
}

RT_EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf)
{
        if (rt_cur)
                push(buf, CALLERS_SP());
        else
                RT_REAL(__pthread_register_cancel_defer)(buf);
}

RT_EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf)
{
        if (rt_cur)
                rt_cur->cancel.cleanup = ((struct handler *)(void *)buf)->outer;
        else
                RT_REAL(__pthread_unregister_cancel_restore)(buf);
}

RT_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t *buf)
{
        static __typeof__(__pthread_unwind_next) *real;

        if (rt_cur) {
                rt_cur->cancel.cleanup = ((struct handler *)(void *)buf)->outer;
                unwind(rt_cur);
        }
        if (!real)
                real = rt_real("__pthread_unwind_next");
        real(buf);
        __builtin_unreachable();
}

/* Points. */

bool cancel_prepare(struct thread *t)
{
        if (t->cancel.off || t->body.ending)
                return false;
        t->cancel.at_point = true;
        t->cancel.interrupted = t->cancel.requested;
        return rt.live && shadow_touch(t, WIRE_OBJ_CANCEL(t->id), 8);
}

/* May it have come to its point by a transition that has nothing to do with a request?  Then a request must not tell whether it
 * is there.  Where this is false it joined a queue, or checked its cell. */
static bool arrives_unseen(const struct thread *t, const struct pending *p)
{
        return p->op == OP_CHANNEL_POLL ? !t->poll.waiting : !op_has(p->op, OPF_RELOCKS);
}

/* Would it have to wait at its point if it were not asked to end? */
static bool has_to_wait(const struct thread *t, const struct pending *p)
{
        if (!arrives_unseen(t, p))
                return t->cancel.waited;
        if (p->op == OP_JOIN)
                return !thread_has_ended(&threads[p->peer]);
        return op_blocks(p->op) && !op_enabled(p->op, p->object->state, t->id);
}

_Noreturn void cancel_act(struct thread *t, enum arrival how)
{
        struct pending was = t->pend;

        t->pend.op = has_to_wait(t, &was) ? OP_CANCELLED : OP_CANCEL_POINT;
        t->pend.obj = WIRE_OBJ_CANCEL(t->id);
        t->pend.size = 8;
        t->pend.object = NULL;
        op_log(t, how, WIRE_MODE_READ, 1);
        awaited_read(t, how, t, &was);
        if (t->wait.joins) {
                if (shadow_touch(t, WIRE_OBJ_HANDLE(t->wait.joins->id), 8))
                        op_also(t, how, OP_CLAIM, WIRE_OBJ_HANDLE(t->wait.joins->id), 8, WIRE_MODE_WRITE, 0);
                t->wait.joins->handle.claimed = false;
        }
        t->cancel.at_point = t->cancel.interrupted = t->poll.waiting = false;
        thread_exit(t, PTHREAD_CANCELED);
}

void cancel_passed(struct thread *t, enum arrival how)
{
        uint64_t cell = WIRE_OBJ_CANCEL(t->id);

        if (!t->cancel.at_point)
                return;
        t->cancel.at_point = t->cancel.interrupted = t->cancel.waited = false;
        if (how != ARRIVE_PRIVATE && rt.live && shadow_touch(t, cell, 8)) {
                if (t->pend.obj != cell)
                        op_also(t, ARRIVE_INNER, OP_CANCEL_POINT, cell, 8, WIRE_MODE_READ, t->cancel.requested);
                spin_read(t, cell, 8);
        }
}

enum arrival cancel_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o, uintptr_t site)
{
        enum arrival how;

        t->turn.also_shared |= cancel_prepare(t);
        how = op_arrive(t, op, obj, size, o, site);
        t->turn.also_shared = false;
        if (t->cancel.interrupted)
                cancel_act(t, how);
        return how;
}

static void point_at(struct thread *t, uintptr_t site)
{
        uint64_t cell = WIRE_OBJ_CANCEL(t->id);
        enum arrival how;

        if (t->cancel.off || t->body.ending)
                return;
        how = cancel_arrive(t, OP_CANCEL_POINT, cell, 8, NULL, site);
        op_log(t, how, WIRE_MODE_READ, t->cancel.requested);
        cancel_passed(t, how);
}

void cancel_point(uintptr_t site)
{
        if (rt_cur)
                point_at(rt_cur, site);
}

RT_STUB_VOID(pthread_testcancel, testcancel, "default")
void testcancel(void) __attribute__((used, visibility("hidden")));
void testcancel(void)
{
        if (rt_cur)
                point_at(rt_cur, RT_STUB_SITE());
        else
                RT_REAL(pthread_testcancel)();
}

/* Requests. */

RT_EXPORT int pthread_cancel(pthread_t handle)
{
        struct thread *t = rt_cur, *n;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_cancel)(handle);
        n = thread_by_handle(handle);
        if (!n)
                return ESRCH;
        how = op_arrive(t, OP_CANCEL, WIRE_OBJ_CANCEL(n->id), 8, NULL, RT_SITE());
        op_log(t, how, WIRE_MODE_WRITE, n->cancel.requested);
        if (n->cancel.requested)
                return 0;
        if (n->cancel.async && !n->cancel.off) { /* if it has ended, it could have been hit before */
                if (n != t)
                        rt_refuse("pthread_cancel of a thread whose cancel type is PTHREAD_CANCEL_ASYNCHRONOUS "
                                  "(make it PTHREAD_CANCEL_DEFERRED)");
                thread_exit(t, PTHREAD_CANCELED);
        }
        if (n->wait.queued && n->wait.queued->kind == OP_OBJ_SEM)
                rt_refuse("pthread_cancel of a thread that waits for a semaphore under a wakeup policy (leave the "
                          "policy of sem out)");
        if (n->cancel.at_point &&
            !arrives_unseen(n, &n->pend)) /* whether it has to wait now makes a difference to its end */
                awaited_read(t, how, n, &n->pend);
        else if (n->cancel.at_point && n->pend.op == OP_COND_TIMEOUT) /* as it will do when the thread was woken */
                op_also(t, how, OP_COND_SIGNAL, n->pend.obj, 8, WIRE_MODE_READ, n->pend.object->state);
        n->cancel.waited = n->cancel.at_point && !sched_able(n);
        if (n->cancel.waited && op_has(n->pend.op, OPF_RELOCKS)) /* its end is one more way to take the mutex */
                op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(n->id), 8, WIRE_MODE_NONE, 0)->choice = n->id;
        n->cancel.requested = true;
        n->cancel.interrupted = n->cancel.at_point;
        if (t->clock.vtime > n->clock.vtime && n->cancel.waited)
                n->clock.vtime = t->clock.vtime;
        return 0;
}

RT_EXPORT int pthread_setcancelstate(int state, int *old)
{
        struct thread *t = rt_cur;
        int was;

        if (!t)
                return RT_REAL(pthread_setcancelstate)(state, old);
        if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
                return EINVAL;
        was = t->cancel.off ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
        call_out(old, &was, sizeof was, RT_SITE());
        t->cancel.off = state == PTHREAD_CANCEL_DISABLE;
        if (t->cancel.async)
                point_at(t, RT_SITE());
        return 0;
}

RT_EXPORT int pthread_setcanceltype(int type, int *old)
{
        struct thread *t = rt_cur;
        int was;

        if (!t)
                return RT_REAL(pthread_setcanceltype)(type, old);
        if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
                return EINVAL;
        was = t->cancel.async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
        call_out(old, &was, sizeof was, RT_SITE());
        if (t->cancel.async || type == PTHREAD_CANCEL_ASYNCHRONOUS)
                point_at(t, RT_SITE()); /* whether a request comes before or after makes a difference */
        t->cancel.async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
        return 0;
}
