/* Mutexes: normal, recursive and error-checking. */
#include <errno.h>
#include <pthread.h>

#include "rt/core.h"
#include "rt/spin.h"
#include "rt/mutex.h"
#include "rt/x86_64/stub.h"

#define DEPTH_ONE (UINT64_C(1) << 16)

struct object *mutex_object(const void *m)
{
        return object_get(m, OP_OBJ_MUTEX);
}

void mutex_acquire(struct thread *t, struct object *o)
{
        o->state = (o->state & (UINT64_C(0xf) << 32)) | (t->id + 1u);
        t->n_held++;
        t->n_sync++;
        if (o->vtime > t->vtime)
                t->vtime = o->vtime;
}

void mutex_release(struct thread *t, struct object *o)
{
        o->state &= UINT64_C(0xf) << 32;
        o->vtime = t->vtime;
        t->n_sync++;
        if (t->n_held)
                t->n_held--;
}

RT_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
        struct thread *t = rt_cur;
        struct object *o;
        int kind = PTHREAD_MUTEX_DEFAULT;

        if (!t)
                return RT_REAL(pthread_mutex_init)(m, attr);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        if (attr)
                pthread_mutexattr_gettype(attr, &kind);
        o->state = (uint64_t)(kind & 3) << 32;
        o->vtime = t->vtime;
        return RT_REAL(pthread_mutex_init)(m, attr);
}

RT_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_mutex_destroy)(m);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        return OP_MUTEX_OWNER(o->state) ? EBUSY : 0;
}

RT_STUB(pthread_mutex_lock, mutex_lock, "default")
int mutex_lock(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_mutex_lock)(m);
        o = mutex_object(m);
        how = op_arrive(t, OP_MUTEX_LOCK, o->addr, 8, o, RT_SITE());
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        if (OP_MUTEX_OWNER(o->state) == t->id + 1u) { /* enabled, so it is recursive or error-checking */
                if (OP_MUTEX_KIND(o->state) == OP_MUTEX_ERRORCHECK)
                        return EDEADLK;
                o->state += DEPTH_ONE;
                return 0;
        }
        mutex_acquire(t, o);
        return 0;
}

RT_STUB(pthread_mutex_trylock, mutex_trylock, "default")
int mutex_trylock(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;
        uint32_t owner;

        if (!t)
                return RT_REAL(pthread_mutex_trylock)(m);
        o = mutex_object(m);
        how = op_arrive(t, OP_MUTEX_TRYLOCK, o->addr, 8, o, RT_SITE());
        owner = OP_MUTEX_OWNER(o->state);
        if (owner && !(owner == t->id + 1u && OP_MUTEX_KIND(o->state) == OP_MUTEX_RECURSIVE)) {
                op_log(t, how, WIRE_MODE_READ, o->state)->flags |= WIRE_EV_FAILED;
                if (how != ARRIVE_PRIVATE)
                        spin_read(t, o->addr, 8);
                return EBUSY;
        }
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        if (owner)
                o->state += DEPTH_ONE;
        else
                mutex_acquire(t, o);
        return 0;
}

RT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_mutex_unlock)(m);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_UNLOCK, o, WIRE_MODE_WRITE, RT_SITE());
        if (OP_MUTEX_KIND(o->state) != OP_MUTEX_NORMAL && OP_MUTEX_OWNER(o->state) != t->id + 1u)
                return EPERM;
        if (OP_MUTEX_KIND(o->state) == OP_MUTEX_RECURSIVE && (o->state >> 16 & 0xffff)) {
                o->state -= DEPTH_ONE;
                return 0;
        }
        mutex_release(t, o);
        return 0;
}
