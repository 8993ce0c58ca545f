/*
 * Condition variables.
 *
 * A wait is two transitions: the first releases the mutex and joins the waiters, in one step; the second takes the mutex
 * again, and may run once the thread was signalled.  A signal with several waiters is a decision: any may be the one.
 * The choice is the waiter's number + 1 (0: there was none).  A thread that is cancelled while it waits takes the mutex
 * again before it ends; a signal that had reached it goes to another waiter.
 */
#include <pthread.h>

#include "rt/cancel.h"
#include "rt/mutex.h"
#include "rt/thread.h"

enum { SIGNALLED = 1, BROADCAST = 2 }; /* why a thread was woken */

static bool waits_on(const struct thread *t, const struct object *o)
{
        return t->state == WIRE_T_READY && t->cond == o && !t->signalled;
}

/* The first waiter from `id` on, as a choice; 0: none. */
static uint32_t waiter_from(const void *o, uint32_t id)
{
        for (; id < ex.n_threads; id++)
                if (waits_on(&threads[id], o))
                        return id + 1;
        return 0;
}

RT_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_cond_init)(c, attr);
        o = object_get(c, OP_OBJ_COND);
        op_perform(t, OP_COND_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        return RT_REAL(pthread_cond_init)(c, attr);
}

RT_EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_cond_destroy)(c);
        o = object_get(c, OP_OBJ_COND);
        op_perform(t, OP_COND_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        return 0;
}

static void wake(struct thread *t, enum arrival how, struct object *o, uint32_t id, uint8_t by)
{
        struct thread *w = &threads[id];

        w->signalled = by;
        if (t->vtime > w->vtime)
                w->vtime = t->vtime;
        o->state--;
        op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(id), 8, WIRE_MODE_NONE, 0)->choice = id;
}

/* Which waiter, + 1; 0: there is none. */
struct choice {
        uint32_t waiter, next;
};

static struct choice choose_waiter(const struct object *o)
{
        struct choice c = {waiter_from(o, 0), WIRE_NO_CHOICE};

        if (!c.waiter)
                return c;
        c.waiter = op_choice_of(c.waiter, waiter_from, o);
        if (!c.waiter || c.waiter > ex.n_threads || !waits_on(&threads[c.waiter - 1], o))
                exec_end_text(WIRE_END_DIVERGED, ex.n_transitions, "the thread to wake does not wait");
        if (waiter_from(o, c.waiter))
                c.next = waiter_from(o, c.waiter);
        return c;
}

/* The thread has its mutex back, and ends.  A signal that was for it goes to another waiter. */
static _Noreturn void leave_cancelled(struct thread *t, enum arrival how, struct object *o, uint32_t heir)
{
        op_also(t, how, OP_COND_SIGNAL, o->addr, 8, WIRE_MODE_WRITE, o->state);
        if (heir)
                wake(t, how, o, heir - 1, SIGNALLED);
        else if (!t->signalled)
                o->state--;
        thread_exit(t, PTHREAD_CANCELED);
}

RT_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o, *mo;
        struct wire_event *e;
        struct choice passed;
        enum arrival how;
        bool cancelled;

        if (!t)
                return RT_REAL(pthread_cond_wait)(c, m);
        o = object_get(c, OP_OBJ_COND);
        mo = mutex_object(m);
        t->also_shared = rt.live && shadow_touch(t, mo->addr, 8);
        how = cancel_arrive(t, OP_COND_WAIT, o->addr, 8, o, RT_SITE());
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        cancel_passed(t, how);
        op_also(t, how, OP_MUTEX_UNLOCK, mo->addr, 8, WIRE_MODE_WRITE, mo->state);
        o->state++;
        mutex_release(t, mo);
        t->cond = o;
        t->signalled = 0;
        t->also_shared = cancel_prepare(t);
        how = op_arrive(t, OP_MUTEX_RELOCK, mo->addr, 8, mo, RT_SITE());
        t->also_shared = false;
        cancelled = t->interrupted;
        passed = cancelled && t->signalled == SIGNALLED ? choose_waiter(o) : (struct choice){0, WIRE_NO_CHOICE};
        e = op_log(t, how, WIRE_MODE_WRITE, mo->state);
        e->choice = passed.waiter;
        e->next_choice = passed.next;
        cancel_passed(t, how);
        t->cond = NULL;
        mutex_acquire(t, mo);
        if (cancelled)
                leave_cancelled(t, how, o, passed.waiter);
        return 0;
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
        o = object_get(cond, OP_OBJ_COND);
        how = op_arrive(t, OP_COND_SIGNAL, o->addr, 8, o, RT_SITE());
        c = choose_waiter(o);
        e = op_log(t, how, c.waiter ? WIRE_MODE_WRITE : WIRE_MODE_READ, o->state); /* nobody waits: nothing changes */
        e->choice = c.waiter;
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
        o = object_get(c, OP_OBJ_COND);
        how = op_arrive(t, OP_COND_BROADCAST, o->addr, 8, o, RT_SITE());
        op_log(t, how, waiter_from(o, 0) ? WIRE_MODE_WRITE : WIRE_MODE_READ, o->state);
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (waits_on(&threads[i], o))
                        wake(t, how, o, i, BROADCAST);
        return 0;
}
