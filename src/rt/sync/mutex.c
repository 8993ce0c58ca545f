/*
 * Mutexes: normal, recursive, error-checking and robust ones; adaptive ones are normal.
 *
 * Under a wakeup policy a lock that must wait is two transitions: it joins the queue, and it takes the mutex when that is
 * free and the policy says that it is next.
 */
#include "rt/sync/mutex.h"

#include <errno.h>
#include <pthread.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sync/glibc_kind.h"
#include "rt/sync/held.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/sync/queue.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"

struct object *mutex_object(const void *m)
{
        struct object *o = object_get(m, OP_OBJ_MUTEX);

        return RT_LIKELY(((const pthread_mutex_t *)m)->__data.__nusers == RT_OBJECT_MARK) ? o : object_renew(o);
}

static void acquire(struct thread *t, struct object *o)
{
        o->state = (o->state & ~OP_MUTEX_HELD_BITS) | (t->id + 1u);
        object_note(t, o, OP_MUTEX_LOCK);
        held_take(t, o);
}

void mutex_release(struct thread *t, struct object *o)
{
        struct thread *holder = OP_MUTEX_OWNER(o->state) ? &threads[OP_MUTEX_OWNER(o->state) - 1u] : t;

        o->state &= ~OP_MUTEX_HELD_BITS;
        object_note(t, o, OP_MUTEX_UNLOCK);
        if (RT_UNLIKELY(o->state & OP_MUTEX_DIED)) /* it was not made consistent */
                o->state |= OP_MUTEX_LOST;
        o->vtime = t->clock.vtime;
        held_give(t, holder);
}

/* It may take the mutex, and has written the entry: the answer of the call. */
static int take(struct thread *t, struct object *o)
{
        if (RT_UNLIKELY(OP_MUTEX_OWNER(o->state) == t->id + 1u)) {
                if (OP_MUTEX_TYPE(o->state) == OP_MUTEX_ERRORCHECK)
                        return EDEADLK;
                if (OP_MUTEX_DEPTH(o->state) == 0xffff)
                        return EAGAIN;
                o->state += OP_MUTEX_DEPTH_ONE;
                return 0;
        }
        if (RT_UNLIKELY(o->state & (OP_MUTEX_LOST | OP_GONE))) {
                misuse_gone(t, o);
                return ENOTRECOVERABLE;
        }
        acquire(t, o);
        return o->state & OP_MUTEX_DIED ? EOWNERDEAD : 0;
}

/* Under a policy, having come by OP_MUTEX_QUEUE or OP_MUTEX_REQUEUE. */
static int queue_up(struct thread *t, struct object *o, const struct timed *d, uintptr_t site)
{
        struct wire_event *e;
        enum arrival how;

        if (op_passes(OP_MUTEX_QUEUE, o->state, t->id))
                return take(t, o);
        queue_join(t, o);
        how = timed_arrive(t, d, OP_MUTEX_TIMEDTURN, OP_MUTEX_TURN, o, site);
        e = op_log(t, how, WIRE_MODE_WRITE, o->state);
        if (op_enabled(OP_MUTEX_TURN, o->state, t->id)) {
                queue_leave(t, o);
                return take(t, o);
        }
        queue_leave(t, o);
        e->flags |= WIRE_EV_FAILED;
        return timed_pass(t, e, d);
}

static int lock(struct thread *t, struct object *o, const struct timed *d, uintptr_t site)
{
        enum arrival how;

        if (RT_UNLIKELY(queue_orders(o))) {
                op_perform(t, OP_MUTEX_QUEUE, o, WIRE_MODE_WRITE, site);
                return queue_up(t, o, d, site);
        }
        how = d ? timed_arrive(t, d, OP_MUTEX_TIMEDLOCK, OP_MUTEX_LOCK, o, site)
                : op_arrive(t, OP_MUTEX_LOCK, o->addr, 8, o, site);
        if (!op_mutex_free(o->state, t->id))
                return timed_out(t, how, o, d);
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        return take(t, o);
}

uint32_t mutex_relock_op(const struct object *o)
{
        return queue_orders(o) ? OP_MUTEX_REQUEUE : OP_MUTEX_RELOCK;
}

int mutex_relocked(struct thread *t, struct object *o)
{
        return queue_orders(o) ? queue_up(t, o, NULL, t->pend.site) : take(t, o);
}

int mutex_relock(struct thread *t, struct object *o, uintptr_t site)
{
        op_perform(t, mutex_relock_op(o), o, WIRE_MODE_WRITE, site);
        return mutex_relocked(t, o);
}

RT_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
        struct thread *t = rt_cur;
        struct object *o;
        int err;

        if (!t)
                return RT_REAL(pthread_mutex_init)(m, attr);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        if (OP_MUTEX_OWNER(o->state))
                misuse(t, o, "initialised again while it is held");
        err = RT_REAL(pthread_mutex_init)(m, attr);
        if (err)
                return err;
        o->state = mutex_state(m->__data.__kind);
        object_mark(o);
        object_note(t, o, OP_MUTEX_INIT);
        o->vtime = t->clock.vtime;
        return 0;
}

RT_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_mutex_destroy)(m);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        held_destroy(t, o, OP_MUTEX_OWNER(o->state) != 0, OP_MUTEX_DESTROY);
        return 0;
}

RT_STUB(pthread_mutex_lock, mutex_lock, "default")
int mutex_lock(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;

        if (!t)
                return RT_REAL(pthread_mutex_lock)(m);
        return lock(t, mutex_object(m), NULL, RT_STUB_SITE());
}

/* A malformed time is noticed only by a thread that has to wait. */
static int lock_until(struct thread *t, pthread_mutex_t *m, clockid_t clock, const struct timespec *ts, uintptr_t site)
{
        struct timed d;
        int err, invalid;

        if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
                return EINVAL;
        invalid = timed_begin(t, &d, clock, ts, site);
        if (invalid)
                d = (struct timed){.looks = true};
        err = lock(t, mutex_object(m), &d, site);
        return err == ETIMEDOUT && invalid ? invalid : err;
}

RT_STUB(pthread_mutex_timedlock, mutex_timedlock, "default")
int mutex_timedlock(pthread_mutex_t *m, const struct timespec *ts) __attribute__((used));
int mutex_timedlock(pthread_mutex_t *m, const struct timespec *ts)
{
        if (!rt_cur)
                return RT_REAL(pthread_mutex_timedlock)(m, ts);
        return lock_until(rt_cur, m, CLOCK_REALTIME, ts, RT_STUB_SITE());
}

RT_STUB(pthread_mutex_clocklock, mutex_clocklock, "default")
int mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *ts) __attribute__((used));
int mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *ts)
{
        if (!rt_cur)
                return RT_REAL(pthread_mutex_clocklock)(m, clock, ts);
        return lock_until(rt_cur, m, clock, ts, RT_STUB_SITE());
}

/* A try fails where a thread, maybe the caller, has it or is next. */
static bool busy(const struct thread *t, const struct object *o)
{
        uint32_t owner = OP_MUTEX_OWNER(o->state);

        if (o->state & OP_MUTEX_LOST)
                return false;
        if (owner)
                return owner != t->id + 1u || OP_MUTEX_TYPE(o->state) != OP_MUTEX_RECURSIVE;
        return OP_NEXT(o->state) != 0;
}

RT_STUB(pthread_mutex_trylock, mutex_trylock, "default")
int mutex_trylock(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(pthread_mutex_trylock)(m);
        o = mutex_object(m);
        how = op_arrive(t, OP_MUTEX_TRYLOCK, o->addr, 8, o, RT_STUB_SITE());
        if (busy(t, o))
                return held_refuse(t, how, o, 8, EBUSY);
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        return take(t, o);
}

int mutex_not_held(struct thread *t, struct object *o, const char *text)
{
        misuse_gone(t, o);
        if (OP_MUTEX_TYPE(o->state) == OP_MUTEX_NORMAL && !(o->state & OP_MUTEX_ROBUST))
                misuse(t, o, text);
        return EPERM;
}

RT_STUB(pthread_mutex_unlock, mutex_unlock, "default")
int mutex_unlock(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_mutex_unlock)(m);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_UNLOCK, o, WIRE_MODE_WRITE, RT_STUB_SITE());
        if (RT_UNLIKELY(OP_MUTEX_OWNER(o->state) != t->id + 1u) && !misuse_hands_off(o))
                return mutex_not_held(t, o, "unlocked by a thread that does not hold it");
        if (RT_UNLIKELY(OP_MUTEX_DEPTH(o->state))) {
                o->state -= OP_MUTEX_DEPTH_ONE;
                return 0;
        }
        mutex_release(t, o);
        return 0;
}

RT_EXPORT int pthread_mutex_consistent(pthread_mutex_t *m)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_mutex_consistent)(m);
        o = mutex_object(m);
        op_perform(t, OP_MUTEX_CONSISTENT, o, WIRE_MODE_WRITE, RT_SITE());
        if (!(o->state & OP_MUTEX_DIED) || OP_MUTEX_OWNER(o->state) != t->id + 1u)
                return EINVAL;
        o->state &= ~OP_MUTEX_DIED;
        return 0;
}

void mutex_thread_ends(struct thread *t, uintptr_t site)
{
        for (uint32_t i = 0; t->held.n_mutexes && i < ex.n_objects; i++) {
                struct object *o = &objects[i];

                if (o->kind != OP_OBJ_MUTEX || OP_MUTEX_OWNER(o->state) != t->id + 1u || !(o->state & OP_MUTEX_ROBUST))
                        continue;
                position_step(t, 1);
                op_log(t, op_arrive_counted(t, OP_MUTEX_ABANDON, o->addr, 8, o, site), WIRE_MODE_WRITE, o->state);
                o->state |= OP_MUTEX_DIED;
                o->state &= ~OP_MUTEX_HELD_BITS;
                o->vtime = t->clock.vtime;
                t->held.n_mutexes--;
        }
        misuse_thread_ends(t);
}
