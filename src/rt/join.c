/*
 * Waiting for the end of a thread, and giving up the right to.
 *
 * Who is to join a thread, or that it is detached, is a state of its handle (WIRE_OBJ_HANDLE): join and detach are
 * writes of it.  The end is a state of its own (WIRE_OBJ_THREAD), written by the thread when it ends and read by those
 * who try.  Both are private, and no events, in programs where one thread joins another and nobody tries.  A plain join
 * waits for the end along an edge of its own and does not touch that state.
 *
 * A second join, or one of a detached thread, is answered as glibc does where it notices: EINVAL, or ESRCH when the
 * thread is gone.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "rt/cancel.h"
#include "rt/spin.h"
#include "rt/thread.h"
#include "rt/timed.h"
#include "rt/x86_64/stub.h"

static int why_not(const struct thread *n)
{
        return n->joined ? ESRCH : n->detached || n->claimed ? EINVAL : 0;
}

/* The handle is looked at and changed in one step; 0, or why it cannot be. */
static int claim(struct thread *t, struct thread *n, uint32_t op, uintptr_t site)
{
        enum arrival how = op_arrive(t, op, WIRE_OBJ_HANDLE(n->id), 8, NULL, site);
        int error = why_not(n);

        op_log(t, how, error ? WIRE_MODE_READ : WIRE_MODE_WRITE, 0)->flags |= error ? WIRE_EV_FAILED : 0;
        return error;
}

static void joined(struct thread *t, struct thread *n, void **value)
{
        n->joined = 1;
        n->joined_by = t->id;
        if (n->vtime > t->vtime)
                t->vtime = n->vtime;
        if (value)
                *value = n->retval;
}

/* d: NULL, or it is let go when nobody else can go on. */
static int join_until(struct thread *t, pthread_t handle, void **value, const struct timed *d, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);
        struct wire_event *e;
        enum arrival how;
        int error;

        if (!n)
                return ESRCH;
        if (n == t)
                return EDEADLK;
        error = claim(t, n, OP_CLAIM, site);
        if (error)
                return error;
        n->claimed = true;
        t->joins = n;
        t->pend.peer = n->id;
        t->deadline = d && rt.stuck ? d->at : RT_NO_DEADLINE;
        how = cancel_arrive(t, OP_JOIN, WIRE_OBJ_THREAD(n->id), 8, NULL, site);
        t->deadline = RT_NO_DEADLINE;
        e = op_log(t, how, WIRE_MODE_NONE, 0);
        e->choice = n->id;
        cancel_passed(t, how);
        t->joins = NULL;
        if (t->let_go) {
                e->flags |= WIRE_EV_FAILED;
                op_also(t, how, OP_CLAIM, WIRE_OBJ_HANDLE(n->id), 8, WIRE_MODE_WRITE, 0);
                n->claimed = false;
                return timed_pass(t, e, d);
        }
        joined(t, n, value);
        return 0;
}

int thread_join(struct thread *t, pthread_t handle, void **value, uintptr_t site)
{
        return join_until(t, handle, value, NULL, site);
}

RT_EXPORT int pthread_join(pthread_t handle, void **value)
{
        return rt_cur ? thread_join(rt_cur, handle, value, RT_SITE()) : RT_REAL(pthread_join)(handle, value);
}

int thread_detach(struct thread *t, pthread_t handle, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);
        int error;

        if (!n)
                return ESRCH;
        error = claim(t, n, OP_DETACH, site);
        if (error && n->claimed) /* it is being joined: glibc does nothing */
                return 0;
        if (!error)
                n->detached = 1;
        return error;
}

RT_EXPORT int pthread_detach(pthread_t handle)
{
        return rt_cur ? thread_detach(rt_cur, handle, RT_SITE()) : RT_REAL(pthread_detach)(handle);
}

/* Joins if it has ended; EBUSY otherwise. */
static int try(struct thread *t, pthread_t handle, void **value, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);
        struct wire_event *e;
        enum arrival how;
        bool contended;
        int error;

        if (!n)
                return ESRCH;
        if (n == t)
                return EDEADLK;
        t->also_shared = contended = rt.live && shadow_touch(t, WIRE_OBJ_HANDLE(n->id), 8);
        how = op_arrive(t, OP_TRYJOIN, WIRE_OBJ_THREAD(n->id), 8, NULL, site);
        t->also_shared = false;
        error = why_not(n);
        if (!error && n->state != WIRE_T_DONE)
                error = EBUSY;
        e = op_log(t, how, WIRE_MODE_READ, 0);
        if (contended)
                op_also(t, how, OP_CLAIM, WIRE_OBJ_HANDLE(n->id), 8, error ? WIRE_MODE_READ : WIRE_MODE_WRITE, 0);
        if (error) {
                e->flags |= WIRE_EV_FAILED;
                spin_read(t, WIRE_OBJ_THREAD(n->id), 8);
                spin_read(t, WIRE_OBJ_HANDLE(n->id), 8);
                return error;
        }
        spin_progress(t);
        op_also(t, how, OP_JOIN, WIRE_OBJ_THREAD(n->id), 8, WIRE_MODE_NONE, 0)->choice = n->id;
        n->claimed = true;
        joined(t, n, value);
        return 0;
}

RT_STUB(pthread_tryjoin_np, tryjoin, "default")
int tryjoin(pthread_t handle, void **value) __attribute__((used, visibility("hidden")));
int tryjoin(pthread_t handle, void **value)
{
        return rt_cur ? try(rt_cur, handle, value, RT_SITE()) : RT_REAL(pthread_tryjoin_np)(handle, value);
}

/* It has waited as long as it takes for others to do what they did until its turn. */
static int timed(struct thread *t, pthread_t handle, void **value, clockid_t clock, const struct timespec *until,
                 uintptr_t site)
{
        struct timed d;
        int error;

        if (!until)
                return thread_join(t, handle, value, site);
        if (timed_begin(t, &d, clock, until, site))
                return EINVAL;
        if (!d.looks)
                return join_until(t, handle, value, &d, site);
        cancel_point(site);
        error = try(t, handle, value, site);
        return error == EBUSY ? timed_pass(t, NULL, &d) : error;
}

RT_EXPORT int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until)
{
        return rt_cur ? timed(rt_cur, handle, value, CLOCK_REALTIME, until, RT_SITE())
                      : RT_REAL(pthread_timedjoin_np)(handle, value, until);
}

RT_EXPORT int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock, const struct timespec *until)
{
        if (!rt_cur)
                return RT_REAL(pthread_clockjoin_np)(handle, value, clock, until);
        return timed(rt_cur, handle, value, clock, until, RT_SITE());
}
