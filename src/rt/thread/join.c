/*
 * Waiting for the end of a thread, and giving up the right to.
 *
 * Which thread is to join a thread, or that it is detached, is a state of its handle (WIRE_OBJ_HANDLE): join and detach are
 * writes of it.  The end is a state of its own (WIRE_OBJ_THREAD), written by the thread when it ends and read by those
 * that try.  Both are private, and not events, in programs where one thread joins another and none tries.  A plain join
 * waits for the end along an edge of its own and does not touch that state, unless it is inside an atomic section.
 *
 * What is done to a handle that is joined, being joined or detached is a misuse, and so is a thread's join of itself;
 * in C++ the standard says what the latter answers.
 */
#include "rt/thread/join.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/memory/shadow.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/enabled.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sched/path.h"
#include "rt/loops/spin.h"
#include "rt/thread/cancel.h"
#include "rt/thread/handle.h"
#include "rt/sync/misuse.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"
#include "rt/world/modules.h"

/* In its turn, with the entry written: the handle must be good for `joins` or detaching. */
static void check(struct thread *t, const struct thread *n, bool joins)
{
        if (n->handle.joined)
                misuse_handle(t, n, joins ? "joined a second time" : "detached after it was joined");
        if (n->handle.detached)
                misuse_handle(t, n, joins ? "joined although it is detached" : "detached a second time");
        if (n->handle.claimed)
                misuse_handle(t, n,
                              joins ? "joined while another thread joins it"
                                    : "detached while another thread joins it");
}

static bool useless(const struct thread *n)
{
        return n->handle.joined || n->handle.detached || n->handle.claimed;
}

/* The handle is checked and changed in one step. */
static void claim(struct thread *t, struct thread *n, uint32_t op, uintptr_t site)
{
        enum arrival how = op_arrive(t, op, WIRE_OBJ_HANDLE(n->id), 8, NULL, site);

        op_log(t, how, useless(n) ? WIRE_MODE_READ : WIRE_MODE_WRITE, 0)->flags |= useless(n) ? WIRE_EV_FAILED : 0;
        check(t, n, op != OP_DETACH);
        thread_handle_used(t, n, op, site);
}

/* The thread of a handle that is to be joined; else the answer in *error. */
static struct thread *joinable(struct thread *t, pthread_t handle, int *error, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);

        *error = n ? 0 : ESRCH;
        if (n != t)
                return n;
        t->pend.site = site;
        if (!rt_is_system(site))
                misuse_handle(t, n, "joined by itself");
        *error = EDEADLK;
        return NULL;
}

static void joined(struct thread *t, struct thread *n, void **value, uintptr_t site)
{
        thread_handle_used(t, n, OP_JOIN, site);
        n->handle.joined = 1;
        n->handle.joined_by = t->id;
        if (n->clock.vtime > t->clock.vtime)
                t->clock.vtime = n->clock.vtime;
        t->clock.joined |= n->clock.joined;
        call_out(value, &n->body.retval, sizeof n->body.retval, site);
}

/* Inside an atomic section what follows is part of the same transition, if the thread has ended: whether it has is read. */
static void look(struct thread *t, const struct thread *n, uintptr_t site)
{
        enum arrival how = op_arrive(t, OP_TRYJOIN, WIRE_OBJ_THREAD(n->id), 8, NULL, site);
        struct wire_event *e = op_log(t, how, WIRE_MODE_READ, 0);

        if (!thread_has_ended(n))
                e->flags |= WIRE_EV_FAILED;
}

/* d: NULL, or it is let go when no other thread can continue. */
static int join_until(struct thread *t, pthread_t handle, void **value, const struct timed *d, uintptr_t site)
{
        struct wire_event *e;
        enum arrival how;
        int error;
        struct thread *n = joinable(t, handle, &error, site);

        if (!n)
                return error;
        claim(t, n, OP_CLAIM, site);
        n->handle.claimed = true;
        if (t->section.atomic && rt.live)
                look(t, n, site);
        t->wait.joins = n;
        t->pend.peer = n->id;
        t->pend.arg = (uintptr_t)value;
        t->wait.deadline = d && rt.stuck ? d->at : RT_NO_DEADLINE;
        how = cancel_arrive(t, OP_JOIN, WIRE_OBJ_THREAD(n->id), 8, NULL, site);
        t->wait.deadline = RT_NO_DEADLINE;
        e = op_log(t, how, WIRE_MODE_NONE, 0);
        e->choice = n->id;
        cancel_passed(t, how);
        t->wait.joins = NULL;
        if (t->wait.let_go) {
                e->flags |= WIRE_EV_FAILED;
                op_also(t, how, OP_CLAIM, WIRE_OBJ_HANDLE(n->id), 8, WIRE_MODE_WRITE, 0);
                n->handle.claimed = false;
                return timed_pass(t, e, d);
        }
        joined(t, n, value, site);
        path_turn(&t->path);
        return 0;
}

int thread_join(struct thread *t, pthread_t handle, void **value, uintptr_t site)
{
        return join_until(t, handle, value, NULL, site);
}

RT_STUB(pthread_join, join_thread, "default")
int join_thread(pthread_t handle, void **value) __attribute__((used, visibility("hidden")));
int join_thread(pthread_t handle, void **value)
{
        return rt_cur ? thread_join(rt_cur, handle, value, RT_STUB_SITE()) : RT_REAL(pthread_join)(handle, value);
}

int thread_detach(struct thread *t, pthread_t handle, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);

        if (!n)
                return ESRCH;
        claim(t, n, OP_DETACH, site);
        n->handle.detached = 1;
        return 0;
}

RT_EXPORT int pthread_detach(pthread_t handle)
{
        return rt_cur ? thread_detach(rt_cur, handle, RT_SITE()) : RT_REAL(pthread_detach)(handle);
}

/* Joins if it has ended; EBUSY otherwise. */
static int try(struct thread *t, pthread_t handle, void **value, uintptr_t site)
{
        struct wire_event *e;
        enum arrival how;
        bool contended, busy;
        int error;
        struct thread *n = joinable(t, handle, &error, site);

        if (!n)
                return error;
        t->turn.also_shared = contended = rt.live && shadow_touch(t, WIRE_OBJ_HANDLE(n->id), 8);
        how = op_arrive(t, OP_TRYJOIN, WIRE_OBJ_THREAD(n->id), 8, NULL, site);
        t->turn.also_shared = false;
        busy = useless(n) || n->state != WIRE_T_DONE;
        e = op_log(t, how, WIRE_MODE_READ, 0);
        if (contended)
                op_also(t, how, OP_CLAIM, WIRE_OBJ_HANDLE(n->id), 8, busy ? WIRE_MODE_READ : WIRE_MODE_WRITE, 0);
        check(t, n, true);
        if (busy) {
                e->flags |= WIRE_EV_FAILED;
                spin_read(t, WIRE_OBJ_THREAD(n->id), 8);
                spin_read(t, WIRE_OBJ_HANDLE(n->id), 8);
                return EBUSY;
        }
        spin_progress(t);
        op_also(t, how, OP_JOIN, WIRE_OBJ_THREAD(n->id), 8, WIRE_MODE_NONE, 0)->choice = n->id;
        n->handle.claimed = true;
        joined(t, n, value, site);
        return 0;
}

RT_STUB(pthread_tryjoin_np, tryjoin, "default")
int tryjoin(pthread_t handle, void **value) __attribute__((used, visibility("hidden")));
int tryjoin(pthread_t handle, void **value)
{
        return rt_cur ? try(rt_cur, handle, value, RT_STUB_SITE()) : RT_REAL(pthread_tryjoin_np)(handle, value);
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
