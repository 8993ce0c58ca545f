/*
 * Condition variables.
 *
 * A wait is two transitions: the first releases the mutex and joins the waiters, in one step; the second takes the mutex
 * again, and may run once the thread was signalled.  A signal with several waiters is a decision: any may be the one.
 * The choice is the waiter's number + 1 (0: there was none).  A wakeup policy decides instead.
 *
 * A wait with a deadline may leave the waiters by a transition of its own, unless it was signalled before (OP_COND_TIMEOUT).
 *
 * A thread that is cancelled while it waits takes the mutex again before it ends; a signal that had reached it goes to
 * another waiter.
 *
 * A spurious wakeup is a decision of the wait: the thread does not join the waiters at all.  When it would have been
 * woken makes no difference: until then a signal may as well have gone to others, and not to run is to wait.
 */
#include <pthread.h>

#include "rt/calls/calls.h"
#include "rt/memory/shadow.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/choice.h"
#include "rt/sched/enabled.h"
#include "rt/sched/end.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/thread/cancel.h"
#include "rt/sync/misuse.h"
#include "rt/sync/mutex.h"
#include "rt/sync/object.h"
#include "rt/sync/queue.h"
#include "rt/thread/thread.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/weak/mm.h"

enum { SIGNALLED = 1, BROADCAST = 2 }; /* why a thread was woken; what needs no signal counts as the latter */

static struct object *object_of(const pthread_cond_t *c)
{
        struct object *o = object_get(c, OP_OBJ_COND);

        return RT_LIKELY(c->__data.__g_signals[1] == RT_OBJECT_MARK) ? o : object_renew(o);
}

static bool waits_on(const struct thread *t, const struct object *o)
{
        return t->state == WIRE_T_READY && t->wait.cond == o && !t->wait.signalled;
}

/* The first waiter from `id` on, as a choice; 0: none. */
static uint32_t waiter_from(const void *o, uint32_t id)
{
        for (; id < ex.n_threads; id++)
                if (waits_on(&threads[id], o))
                        return id + 1;
        return 0;
}

/* The waiter that the policy puts first, as a choice; 0: none. */
static uint32_t waiter_by_policy(const struct object *o)
{
        const struct thread *first = NULL;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (waits_on(&threads[i], o) && (!first || queue_before(o, &threads[i], first)))
                        first = &threads[i];
        return first ? first->id + 1u : 0;
}

RT_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
        struct thread *t = rt_cur;
        struct object *o;
        clockid_t clock = CLOCK_REALTIME;

        if (!t)
                return RT_REAL(pthread_cond_init)(c, attr);
        call_in(attr, sizeof *attr, RT_SITE());
        o = object_of(c);
        op_perform(t, OP_COND_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        if (waiter_from(o, 0))
                misuse_with(t, o, &threads[waiter_from(o, 0) - 1], "initialised again while a thread waits on it");
        object_note(t, o, OP_COND_INIT);
        if (attr)
                RT_REAL(pthread_condattr_getclock)(attr, &clock);
        o->state = clock == CLOCK_MONOTONIC ? OP_COND_MONOTONIC : 0;
        RT_REAL(pthread_cond_init)(c, attr);
        object_mark(o);
        return 0;
}

RT_EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_cond_destroy)(c);
        o = object_of(c);
        op_perform(t, OP_COND_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        misuse_gone(t, o);
        if (waiter_from(o, 0))
                misuse_with(t, o, &threads[waiter_from(o, 0) - 1], "destroyed while a thread waits on it");
        object_destroy(t, o, OP_COND_DESTROY);
        return 0;
}

/* Is this wait to end without a signal?  A decision, where there may be one more. */
static bool ends_by_itself(const struct object *o, struct wire_event *e)
{
        uint32_t c;

        if (OP_COND_SPURIOUS(o->state) >= rt.down->spurious)
                return false;
        c = op_choice(2);
        if (c > 1)
                exec_end_text(WIRE_END_DIVERGED, ex.n_transitions,
                              "a wait ends by itself or not: there is no third way");
        e->choice = c;
        e->next_choice = c ? WIRE_NO_CHOICE : 1;
        return c;
}

/* It must hold the mutex, and those that wait must have released the same one. */
static int check_wait(struct thread *t, struct object *o, struct object *mo)
{
        uint32_t w = waiter_from(o, 0);

        misuse_gone(t, o);
        t->wait.site = t->pend.site;
        if (w && threads[w - 1].wait.mutex != mo)
                misuse_with(t, o, &threads[w - 1], "waited on with two mutexes at once");
        return OP_OWNER(mo->state) == t->id + 1u
                       ? 0
                       : mutex_not_held(t, mo, "not held by the thread that waits on a condition variable with it");
}

/* The first half: 1 if it waits, 0 if it is to come back at once, or an error number below 0. */
static int join_waiters(struct thread *t, struct object *o, struct object *mo, bool timed, uintptr_t site)
{
        struct wire_event *e;
        enum arrival how;
        bool spurious;
        int err;

        if (RT_UNLIKELY(rt.down->spurious))
                snapshot_ensure();
        t->turn.also_shared = rt.live && shadow_touch(t, mo->addr, 8);
        how = cancel_arrive(t, OP_COND_WAIT, o->addr, 8, o, site);
        e = op_log(t, how, WIRE_MODE_WRITE, o->state);
        e->flags |= timed ? WIRE_EV_TIMED : 0;
        cancel_passed(t, how);
        err = check_wait(t, o, mo);
        if (err)
                return -err;
        spurious = ends_by_itself(o, e);
        op_also(t, how, OP_MUTEX_UNLOCK, mo->addr, 8, WIRE_MODE_WRITE, mo->state);
        mutex_release(t, mo);
        t->wait.signalled = spurious ? BROADCAST : 0;
        if (spurious) {
                o->state += OP_COND_SPURIOUS_ONE;
                return 0;
        }
        o->state++;
        t->wait.ticket = ++o->ticket;
        t->wait.cond = o;
        t->wait.mutex = mo;
        return 1;
}

static int leave_waiters(struct thread *t, struct object *o, enum arrival how, const struct timed *d)
{
        int err = timed_pass(t, op_log(t, how, WIRE_MODE_WRITE, o->state), d);

        cancel_passed(t, how);
        o->state--;
        t->wait.cond = NULL;
        t->wait.signalled = BROADCAST;
        return err;
}

/* What the woken thread might have done instead of being woken is in the entry's value. */
static void wake(struct thread *t, enum arrival how, struct object *o, uint32_t id, uint8_t by)
{
        struct thread *w = &threads[id];
        uint32_t instead = w->pend.op == OP_COND_TIMEOUT ? OP_COND_TIMEOUT : OP_NONE;

        w->wait.signalled = by;
        if (t->clock.vtime > w->clock.vtime)
                w->clock.vtime = t->clock.vtime;
        if (instead) {
                w->pend.op = (uint8_t)mutex_relock_op(w->wait.mutex);
                w->pend.object = w->wait.mutex;
                w->pend.obj = w->wait.mutex->addr;
        }
        o->state--;
        if (w->cancel.interrupted && !instead)
                return; /* it is to end, and could continue before; that is a write of the condition variable, too */
        if (RT_UNLIKELY(sched_used_up(w)))
                instead = OP_NONE; /* --thread-depth kept it from that */
        op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(id), 8, WIRE_MODE_NONE, instead)->choice = id;
}

/* Which waiter, + 1 (0: there is none), and what the entry says of it. */
struct choice {
        uint32_t waiter, answer, next;
};

static struct choice choose_waiter(const struct object *o)
{
        struct choice c = {queue_orders(o) ? waiter_by_policy(o) : waiter_from(o, 0), 0, WIRE_NO_CHOICE};

        if (!c.waiter || queue_orders(o))
                return c;
        c.waiter = c.answer = op_choice_of(c.waiter, waiter_from, o);
        if (!c.waiter || c.waiter > ex.n_threads || !waits_on(&threads[c.waiter - 1], o))
                exec_end_text(WIRE_END_DIVERGED, ex.n_transitions, "the thread to wake does not wait");
        if (waiter_from(o, c.waiter))
                c.next = waiter_from(o, c.waiter);
        return c;
}

/* It comes back with its mutex; a signal that was for one that is cancelled goes to another waiter. */
static int come_back(struct thread *t, struct object *o, struct object *mo, enum arrival how)
{
        bool cancelled = t->cancel.interrupted;
        struct choice heir = {0, 0, WIRE_NO_CHOICE};
        struct wire_event *e;
        int err;

        if (cancelled && t->wait.signalled == SIGNALLED)
                heir = choose_waiter(o);
        e = op_log(t, how, WIRE_MODE_WRITE, mo->state);
        e->choice = heir.answer;
        e->next_choice = heir.next;
        cancel_passed(t, how);
        t->wait.cond = NULL;
        if (cancelled) {
                op_also(t, how, OP_COND_SIGNAL, o->addr, 8, WIRE_MODE_WRITE, o->state);
                if (heir.waiter)
                        wake(t, how, o, heir.waiter - 1, SIGNALLED);
                else if (!t->wait.signalled)
                        o->state--;
        }
        err = mutex_relocked(t, mo);
        if (cancelled)
                thread_exit(t, PTHREAD_CANCELED);
        return err;
}

static int wait_until(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, const struct timed *d, uintptr_t site)
{
        struct object *o = object_of(c), *mo = mutex_object(m);
        enum arrival how;
        bool cancelled;
        int err, late;

        err = join_waiters(t, o, mo, d && d->looks, site);
        if (err <= 0)
                return err ? -err : mutex_relock(t, mo, site);
        t->turn.also_shared = cancel_prepare(t);
        if (d && d->looks) {
                how = op_arrive(t, OP_COND_TIMEOUT, o->addr, 8, o, site);
        } else {
                t->wait.deadline = d && rt.stuck ? d->at : RT_NO_DEADLINE;
                how = op_arrive(t, mutex_relock_op(mo), mo->addr, 8, mo, site);
                t->wait.deadline = RT_NO_DEADLINE;
        }
        t->turn.also_shared = false;
        if (t->pend.op != OP_COND_TIMEOUT)
                return come_back(t, o, mo, how);
        cancelled = t->cancel.interrupted;
        late = leave_waiters(t, o, how, d);
        err = mutex_relock(t, mo, site);
        if (cancelled)
                thread_exit(t, PTHREAD_CANCELED);
        return err ? err : late;
}

RT_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
        if (!rt_cur)
                return RT_REAL(pthread_cond_wait)(c, m);
        return wait_until(rt_cur, c, m, NULL, RT_SITE());
}

static int timed_wait(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                      const struct timespec *ts, uintptr_t site)
{
        struct timed d;
        int err = timed_begin(t, &d, clock, ts, site);

        return err ? err : wait_until(t, c, m, &d, site);
}

RT_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *ts)
{
        clockid_t clock = CLOCK_REALTIME;

        if (!rt_cur)
                return RT_REAL(pthread_cond_timedwait)(c, m, ts);
        if (object_of(c)->state & OP_COND_MONOTONIC)
                clock = CLOCK_MONOTONIC;
        return timed_wait(rt_cur, c, m, clock, ts, RT_SITE());
}

RT_EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *ts)
{
        if (!rt_cur)
                return RT_REAL(pthread_cond_clockwait)(c, m, clock, ts);
        return timed_wait(rt_cur, c, m, clock, ts, RT_SITE());
}

/* Weak memory: a call that finds no waiter has only looked. */
static bool finds_nobody(struct thread *t, struct object *o, uintptr_t site)
{
        if (!mm_looks_first(t))
                return false;
        op_perform(t, OP_COND_LOOK, o, WIRE_MODE_READ, site);
        return !waiter_from(o, 0);
}

/* Those that wait are asleep: the kernel wakes them. */
static void wakes(struct thread *t, const struct object *o)
{
        if (waiter_from(o, 0))
                speculation_kernel(t);
}

RT_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
        struct thread *t = rt_cur;
        struct object *o;
        struct wire_event *e;
        enum arrival how;
        struct choice c;

        if (!t)
                return RT_REAL(pthread_cond_signal)(cond);
        o = object_of(cond);
        if (finds_nobody(t, o, RT_SITE()))
                return 0;
        how = op_arrive(t, OP_COND_SIGNAL, o->addr, 8, o, RT_SITE());
        misuse_gone_unsaid(t, how, o);
        wakes(t, o);
        c = choose_waiter(o);
        e = op_log(t, how, c.waiter ? WIRE_MODE_WRITE : WIRE_MODE_READ,
                   o->state); /* without a waiter nothing changes */
        e->choice = c.answer;
        e->next_choice = c.next;
        if (c.waiter)
                wake(t, how, o, c.waiter - 1, SIGNALLED);
        return 0;
}

RT_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_cond_broadcast)(c);
        o = object_of(c);
        if (finds_nobody(t, o, RT_SITE()))
                return 0;
        how = op_arrive(t, OP_COND_BROADCAST, o->addr, 8, o, RT_SITE());
        misuse_gone_unsaid(t, how, o);
        wakes(t, o);
        op_log(t, how, waiter_from(o, 0) ? WIRE_MODE_WRITE : WIRE_MODE_READ, o->state);
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (waits_on(&threads[i], o))
                        wake(t, how, o, i, BROADCAST);
        return 0;
}
