/*
 * Condition variables.
 *
 * A wait is two transitions: the first releases the mutex and joins the waiters, in one step; the second takes the mutex
 * again, and may run once the thread was signalled.  A signal with several waiters is a decision: any may be the one.
 * The choice is the waiter's number + 1 (0: there was none).
 */
#include <pthread.h>

#include "rt/core.h"
#include "rt/mutex.h"

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

RT_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o, *mo;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_cond_wait)(c, m);
        o = object_get(c, OP_OBJ_COND);
        mo = mutex_object(m);
        t->also_shared = rt.live && shadow_touch(t, mo->addr, 8);
        how = op_arrive(t, OP_COND_WAIT, o->addr, 8, o, RT_SITE());
        t->also_shared = false;
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        op_also(t, how, OP_MUTEX_UNLOCK, mo->addr, 8, WIRE_MODE_WRITE, mo->state);
        o->state++;
        mutex_release(t, mo);
        t->cond = o;
        t->signalled = 0;
        how = op_arrive(t, OP_MUTEX_RELOCK, mo->addr, 8, mo, RT_SITE());
        op_log(t, how, WIRE_MODE_WRITE, mo->state);
        t->cond = NULL;
        mutex_acquire(t, mo);
        return 0;
}

static void wake(struct thread *t, enum arrival how, struct object *o, uint32_t id)
{
        struct thread *w = &threads[id];

        w->signalled = 1;
        if (t->vtime > w->vtime)
                w->vtime = t->vtime;
        o->state--;
        op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(id), 8, WIRE_MODE_NONE, 0)->choice = id;
}

RT_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
        struct thread *t = rt_cur;
        struct object *o;
        struct wire_event *e;
        enum arrival how;
        uint32_t choice, next;

        if (!t)
                return RT_REAL(pthread_cond_signal)(c);
        o = object_get(c, OP_OBJ_COND);
        how = op_arrive(t, OP_COND_SIGNAL, o->addr, 8, o, RT_SITE());
        choice = waiter_from(o, 0);
        if (choice)
                choice = op_choice_of(choice, waiter_from, o);
        if (choice && (choice > ex.n_threads || !waits_on(&threads[choice - 1], o)))
                exec_end_text(WIRE_END_DIVERGED, ex.n_transitions, "the thread to wake does not wait");
        next = choice ? waiter_from(o, choice) : 0;
        e = op_log(t, how, choice ? WIRE_MODE_WRITE : WIRE_MODE_READ, o->state); /* nobody waits: nothing changes */
        e->choice = choice;
        e->next_choice = next ? next : WIRE_NO_CHOICE;
        if (choice)
                wake(t, how, o, choice - 1);
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
                        wake(t, how, o, i);
        return 0;
}
