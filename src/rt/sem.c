/* Unnamed semaphores. */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "rt/cancel.h"
#include "rt/spin.h"
#include "rt/x86_64/stub.h"

/* Time goes from those that post to those that wait, not among either: their order is no event (op_commute). */
static void take_token(struct thread *t, struct object *o)
{
        o->state--;
        if (o->vtime > t->vtime)
                t->vtime = o->vtime;
}

RT_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(sem_init)(s, shared, value);
        if (value > SEM_VALUE_MAX) {
                errno = EINVAL;
                return -1;
        }
        o = object_get(s, OP_OBJ_SEM);
        op_perform(t, OP_SEM_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        o->state = value;
        o->vtime = t->vtime;
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
        return 0;
}

RT_EXPORT int sem_wait(sem_t *s)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(sem_wait)(s);
        o = object_get(s, OP_OBJ_SEM);
        how = cancel_arrive(t, OP_SEM_WAIT, o->addr, 8, o, RT_SITE());
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        cancel_passed(t, how);
        take_token(t, o);
        return 0;
}

RT_STUB(sem_trywait, semaphore_trywait, "default")
int semaphore_trywait(sem_t *s) __attribute__((used));
int semaphore_trywait(sem_t *s)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(sem_trywait)(s);
        o = object_get(s, OP_OBJ_SEM);
        how = op_arrive(t, OP_SEM_TRYWAIT, o->addr, 8, o, RT_SITE());
        if (!o->state) {
                op_log(t, how, WIRE_MODE_READ, 0)->flags |= WIRE_EV_FAILED;
                if (how != ARRIVE_PRIVATE)
                        spin_read(t, o->addr, 8);
                errno = EAGAIN;
                return -1;
        }
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        spin_progress(t);
        take_token(t, o);
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
        how = op_arrive(t, OP_SEM_POST, o->addr, 8, o, RT_SITE());
        if (o->state >= OP_SEM_MAX) {
                op_log(t, how, WIRE_MODE_READ, o->state)->flags |= WIRE_EV_FAILED;
                errno = EOVERFLOW;
                return -1;
        }
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        o->state++;
        if (t->vtime > o->vtime)
                o->vtime = t->vtime;
        return 0;
}

RT_EXPORT int sem_getvalue(sem_t *s, int *value)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(sem_getvalue)(s, value);
        o = object_get(s, OP_OBJ_SEM);
        op_perform(t, OP_SEM_GETVALUE, o, WIRE_MODE_READ, RT_SITE());
        spin_read(t, o->addr, 8);
        *value = (int)o->state;
        return 0;
}
