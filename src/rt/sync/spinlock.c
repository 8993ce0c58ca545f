/* Spinlocks.  A thread that waits for one is blocked, as with a mutex: its spinning has no effect. */
#include <errno.h>
#include <pthread.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sync/held.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

static struct object *object_of(pthread_spinlock_t *l)
{
        return object_get((const void *)l, OP_OBJ_SPINLOCK);
}

static void take(struct thread *t, struct object *o)
{
        misuse_gone(t, o);
        object_note(t, o, OP_SPIN_LOCK);
        o->state = t->id + 1u;
        held_take(t, o);
}

/* Four bytes: the neighbour in the same eight may be another. */
static enum arrival arrive(struct thread *t, uint32_t op, struct object *o, uintptr_t site)
{
        return op_arrive(t, op, o->addr, sizeof(pthread_spinlock_t), o, site);
}

static void perform(struct thread *t, uint32_t op, struct object *o, uintptr_t site)
{
        enum arrival how = arrive(t, op, o, site);

        op_log(t, how, WIRE_MODE_WRITE, o->state);
}

RT_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_spin_init)(l, shared);
        o = object_of(l);
        perform(t, OP_SPIN_INIT, o, RT_SITE());
        if (OP_OWNER(o->state))
                misuse(t, o, "initialised again while it is held");
        object_note(t, o, OP_SPIN_INIT);
        o->state = 0;
        o->vtime = t->clock.vtime;
        return RT_REAL(pthread_spin_init)(l, shared);
}

RT_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_spin_destroy)(l);
        o = object_of(l);
        perform(t, OP_SPIN_DESTROY, o, RT_SITE());
        held_destroy(t, o, OP_OWNER(o->state) != 0, OP_SPIN_DESTROY);
        return 0;
}

RT_STUB(pthread_spin_lock, spinlock_lock, "default")
int spinlock_lock(pthread_spinlock_t *l) __attribute__((used));
int spinlock_lock(pthread_spinlock_t *l)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_spin_lock)(l);
        o = object_of(l);
        perform(t, OP_SPIN_LOCK, o, RT_STUB_SITE());
        take(t, o);
        return 0;
}

RT_STUB(pthread_spin_trylock, spinlock_trylock, "default")
int spinlock_trylock(pthread_spinlock_t *l) __attribute__((used));
int spinlock_trylock(pthread_spinlock_t *l)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_spin_trylock)(l);
        o = object_of(l);
        how = arrive(t, OP_SPIN_TRYLOCK, o, RT_STUB_SITE());
        if (OP_OWNER(o->state))
                return held_refuse(t, how, o, sizeof *l, EBUSY);
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        take(t, o);
        return 0;
}

RT_STUB(pthread_spin_unlock, spinlock_unlock, "default")
int spinlock_unlock(pthread_spinlock_t *l) __attribute__((used));
int spinlock_unlock(pthread_spinlock_t *l)
{
        struct thread *t = rt_cur, *holder;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_spin_unlock)(l);
        o = object_of(l);
        how = arrive(t, OP_SPIN_UNLOCK, o, RT_STUB_SITE());
        if (how != ARRIVE_BUFFERED)
                op_log(t, how, WIRE_MODE_WRITE, o->state);
        misuse_gone(t, o);
        if (OP_OWNER(o->state) != t->id + 1u && !misuse_hands_off(o))
                misuse(t, o, "unlocked by a thread that does not hold it");
        holder = &threads[OP_OWNER(o->state) - 1];
        object_note(t, o, OP_SPIN_UNLOCK);
        if (how == ARRIVE_BUFFERED) {
                mm_release(t, o, sizeof *l);
        } else {
                o->state = 0;
                o->vtime = t->clock.vtime;
        }
        held_give(t, holder);
        return 0;
}
