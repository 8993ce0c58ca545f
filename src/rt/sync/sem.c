/* Semaphores: what is done with one, named or not. */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/thread/cancel.h"
#include "rt/sync/held.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/sync/queue.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"
#include "rt/signal/delivery.h"

/* Time goes from those that post to those that wait, not among either: their order is not an event (op_commute). */
static void take(struct thread *t, struct object *o)
{
        o->state--;
        if (o->vtime > t->clock.vtime)
                t->clock.vtime = o->vtime;
}

static int failed(int err)
{
        errno = err;
        return -1;
}

RT_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(sem_init)(s, shared, value);
        if (value > SEM_VALUE_MAX)
                return failed(EINVAL);
        o = object_get(s, OP_OBJ_SEM);
        op_perform(t, OP_SEM_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        o->state = value;
        o->vtime = t->clock.vtime;
        return 0;
}

RT_EXPORT int sem_destroy(sem_t *s)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(sem_destroy)(s);
        o = object_get(s, OP_OBJ_SEM);
        op_perform(t, OP_SEM_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        misuse_gone(t, o);
        object_destroy(t, o, OP_SEM_DESTROY);
        return 0;
}

/* Under a policy.  An error number. */
static int queue_up(struct thread *t, struct object *o, const struct timed *d, uintptr_t site)
{
        struct wire_event *e;
        enum arrival how;

        cancel_point(site); /* a thread in a queue is not cancelled: pthread_cancel refuses that */
        op_perform(t, OP_SEM_QUEUE, o, WIRE_MODE_WRITE, site);

        if (op_passes(OP_SEM_QUEUE, o->state, t->id)) {
                take(t, o);
                return 0;
        }
        queue_join(t, o);
        how = timed_arrive(t, d, OP_SEM_TIMEDTURN, OP_SEM_TURN, o, site);
        e = op_log(t, how, WIRE_MODE_WRITE, o->state);
        if (op_enabled(OP_SEM_TURN, o->state, t->id)) {
                queue_leave(t, o);
                take(t, o);
                return 0;
        }
        queue_leave(t, o);
        e->flags |= WIRE_EV_FAILED;
        return timed_pass(t, e, d);
}

static int wait_until(struct thread *t, struct object *o, const struct timed *d, uintptr_t site)
{
        enum arrival how;
        int err;

        if (RT_UNLIKELY(queue_orders(o)))
                return queue_up(t, o, d, site);
        t->wait.deadline = d && rt.stuck && !d->looks ? d->at : RT_NO_DEADLINE;
        delivery_begin(t, INTERRUPTS_RESTARTS, d && d->looks && !OP_SEM_VALUE(o->state));
        how = cancel_arrive(t, d && d->looks ? OP_SEM_TIMEDWAIT : OP_SEM_WAIT, o->addr, 8, o, site);
        t->wait.deadline = RT_NO_DEADLINE;
        if (delivery_interrupted(t)) {
                cancel_passed(t, how);
                return EINTR;
        }
        misuse_gone_unsaid(t, how, o);
        if (!OP_SEM_VALUE(o->state)) {
                err = timed_out(t, how, o, d);
                cancel_passed(t, how);
                return err;
        }
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        cancel_passed(t, how);
        spin_progress(t);
        take(t, o);
        return 0;
}

RT_EXPORT int sem_wait(sem_t *s)
{
        int err;

        if (!rt_cur)
                return RT_REAL(sem_wait)(s);
        err = wait_until(rt_cur, object_get(s, OP_OBJ_SEM), NULL, RT_SITE());
        return err ? failed(err) : 0;
}

static int timed_wait(struct thread *t, sem_t *s, clockid_t clock, const struct timespec *ts, uintptr_t site)
{
        struct timed d;
        int err = timed_begin(t, &d, clock, ts, site);

        if (!err)
                err = wait_until(t, object_get(s, OP_OBJ_SEM), &d, site);
        return err ? failed(err) : 0;
}

RT_STUB(sem_timedwait, semaphore_timedwait, "default")
int semaphore_timedwait(sem_t *s, const struct timespec *ts) __attribute__((used));
int semaphore_timedwait(sem_t *s, const struct timespec *ts)
{
        if (!rt_cur)
                return RT_REAL(sem_timedwait)(s, ts);
        return timed_wait(rt_cur, s, CLOCK_REALTIME, ts, RT_STUB_SITE());
}

RT_STUB(sem_clockwait, semaphore_clockwait, "default")
int semaphore_clockwait(sem_t *s, clockid_t clock, const struct timespec *ts) __attribute__((used));
int semaphore_clockwait(sem_t *s, clockid_t clock, const struct timespec *ts)
{
        if (!rt_cur)
                return RT_REAL(sem_clockwait)(s, clock, ts);
        return timed_wait(rt_cur, s, clock, ts, RT_STUB_SITE());
}

RT_STUB(sem_trywait, semaphore_trywait, "default")
int semaphore_trywait(sem_t *s) __attribute__((used));
int semaphore_trywait(sem_t *s)
{
        uintptr_t site = RT_STUB_SITE();
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(sem_trywait)(s);
        o = object_get(s, OP_OBJ_SEM);
        if (mm_looks_first(t)) {
                op_perform(t, OP_SEM_LOOK, o, WIRE_MODE_READ, site);
                spin_read(t, o->addr, 8);
                if (!(o->state & OP_GONE) && (!OP_SEM_VALUE(o->state) || OP_NEXT(o->state)))
                        return failed(EAGAIN);
        }
        how = op_arrive(t, queue_orders(o) ? OP_SEM_TRYTURN : OP_SEM_TRYWAIT, o->addr, 8, o, site);
        misuse_gone_unsaid(t, how, o);
        if (!OP_SEM_VALUE(o->state) || OP_NEXT(o->state))
                return failed(held_refuse(t, how, o, 8, EAGAIN));
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        spin_progress(t);
        take(t, o);
        return 0;
}

RT_EXPORT int sem_post(sem_t *s)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(sem_post)(s);
        o = object_get(s, OP_OBJ_SEM);
        how = op_arrive(t, queue_orders(o) ? OP_SEM_HAND : OP_SEM_POST, o->addr, 8, o, RT_SITE());
        misuse_gone_unsaid(t, how, o);
        if (OP_SEM_VALUE(o->state) >= OP_SEM_MAX) {
                op_log(t, how, WIRE_MODE_READ, o->state)->flags |= WIRE_EV_FAILED;
                return failed(EOVERFLOW);
        }
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        o->state++;
        if (t->clock.vtime > o->vtime)
                o->vtime = t->clock.vtime;
        return 0;
}

RT_STUB(sem_getvalue, entry_sem_getvalue, "default")
int entry_sem_getvalue(sem_t *s, int *value) __attribute__((used, visibility("hidden")));
int entry_sem_getvalue(sem_t *s, int *value)
{
        uintptr_t site = RT_STUB_SITE();
        struct thread *t = rt_cur;
        struct object *o;
        int v;

        if (!t)
                return RT_REAL(sem_getvalue)(s, value);
        o = object_get(s, OP_OBJ_SEM);
        op_perform(t, OP_SEM_GETVALUE, o, WIRE_MODE_READ, site);
        spin_read(t, o->addr, 8);
        v = (int)OP_SEM_VALUE(o->state);
        call_out(value, &v, sizeof v, site);
        return 0;
}
