/*
 * Read-write locks.
 *
 * Without a preference readers commute: neither taking the lock for reading nor giving it back is noticed by another
 * reader.  Where waiting is visible to others, because writers or readers are preferred (by attribute: glibc's
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; its other two make no thread wait) or by a
 * queue, a lock that must wait is two transitions: it says so, and it takes the lock.
 */
#include <errno.h>
#include <pthread.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/sync/glibc_kind.h"
#include "rt/sync/held.h"
#include "rt/sync/held_state.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/sync/queue.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

#define MAX_READERS 0xfffu

static struct object *object_of(pthread_rwlock_t *l)
{
        struct object *o = object_get(l, OP_OBJ_RWLOCK);

        return RT_LIKELY(l->__data.__pad3 == RT_OBJECT_MARK) ? o : object_renew(o);
}

/* How a reader's operation touches the lock. */
static uint32_t reader_mode(const struct object *o)
{
        return queue_orders(o) || OP_RWLOCK_PREFERS(o->state) ? WIRE_MODE_WRITE : WIRE_MODE_COMMUTE;
}

static bool may(const struct object *o, bool write)
{
        return write ? op_rwlock_may_write(o->state) : op_rwlock_may_read(o->state);
}

static int take(struct thread *t, struct object *o, bool write)
{
        if (!write && OP_RWLOCK_READERS(o->state) == MAX_READERS)
                return EAGAIN;
        misuse_gone(t, o);
        o->state += write ? t->id + 1u : OP_RWLOCK_READER;
        object_note(t, o, write ? OP_RWLOCK_WRLOCK : OP_RWLOCK_RDLOCK);
        if (!write && t->held.n_reads++ < RT_MAX_READS)
                t->held.reads[t->held.n_reads - 1] = o;
        held_take(t, o);
        if (write && o->vtime_shared > t->clock.vtime)
                t->clock.vtime = o->vtime_shared;
        return 0;
}

static void begin_wait(struct thread *t, struct object *o)
{
        if (queue_orders(o))
                queue_join(t, o);
        else
                o->state += OP_RWLOCK_WAITER;
}

static void end_wait(struct thread *t, struct object *o)
{
        if (queue_orders(o))
                queue_leave(t, o);
        else
                o->state -= OP_RWLOCK_WAITER;
}

/* Where others can tell that it waits. */
static int queue_up(struct thread *t, struct object *o, bool write, const struct timed *d, uintptr_t site)
{
        uint32_t waits = write ? OP_RWLOCK_WRLOCK : OP_RWLOCK_RDLOCK;
        uint32_t queues = write ? OP_RWLOCK_WRQUEUE : OP_RWLOCK_RDQUEUE;
        struct wire_event *e;
        enum arrival how;
        bool taken;

        op_perform(t, queues, o, WIRE_MODE_WRITE, site);
        if (OP_OWNER(o->state) == t->id + 1u)
                return EDEADLK;
        if (op_passes(queues, o->state, t->id))
                return take(t, o, write);
        begin_wait(t, o);
        if (queue_orders(o))
                waits = write ? OP_RWLOCK_WRTURN : OP_RWLOCK_RDTURN;
        how = timed_arrive(t, d, write ? OP_RWLOCK_TIMEDWRTURN : OP_RWLOCK_TIMEDRDTURN, waits, o, site);
        e = op_log(t, how, WIRE_MODE_WRITE, o->state);
        taken = op_enabled(waits, o->state, t->id);
        end_wait(t, o);
        if (taken)
                return take(t, o, write);
        e->flags |= WIRE_EV_FAILED;
        return timed_pass(t, e, d);
}

static int lock(struct thread *t, struct object *o, bool write, const struct timed *d, uintptr_t site)
{
        uint32_t prefers = OP_RWLOCK_PREFERS(o->state);
        enum arrival how;

        if (queue_orders(o) || prefers == (write ? OP_RWLOCK_WRITERS : OP_RWLOCK_READERS_FIRST))
                return queue_up(t, o, write, d, site);
        how = timed_arrive(t, d, write ? OP_RWLOCK_TIMEDWRLOCK : OP_RWLOCK_TIMEDRDLOCK,
                           write ? OP_RWLOCK_WRLOCK : OP_RWLOCK_RDLOCK, o, site);
        if (OP_OWNER(o->state) == t->id + 1u)
                return held_refuse(t, how, o, 8, EDEADLK);
        if (!may(o, write))
                return timed_out(t, how, o, d);
        op_log(t, how, write ? (uint32_t)WIRE_MODE_WRITE : reader_mode(o), o->state);
        return take(t, o, write);
}

static int lock_until(struct thread *t, struct object *o, bool write, clockid_t clock, const struct timespec *ts,
                      uintptr_t site)
{
        struct timed d;
        int err = timed_begin(t, &d, clock, ts, site);

        return err ? err : lock(t, o, write, &d, site);
}

static int try_lock(struct thread *t, struct object *o, bool write, uintptr_t site)
{
        enum arrival how;

        if (mm_looks_first(t)) {
                op_perform(t, OP_RWLOCK_LOOK, o, WIRE_MODE_READ, site);
                spin_read(t, o->addr, 8);
                if (!may(o, write) || OP_NEXT(o->state))
                        return EBUSY;
        }
        how = op_arrive(t, write ? OP_RWLOCK_TRYWRLOCK : OP_RWLOCK_TRYRDLOCK, o->addr, 8, o, site);
        if (!may(o, write) || OP_NEXT(o->state))
                return held_refuse(t, how, o, 8, EBUSY);
        op_log(t, how, write ? (uint32_t)WIRE_MODE_WRITE : reader_mode(o), o->state);
        return take(t, o, write);
}

RT_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
        struct thread *t = rt_cur;
        struct object *o;
        int err;

        if (!t)
                return RT_REAL(pthread_rwlock_init)(l, attr);
        o = object_of(l);
        op_perform(t, OP_RWLOCK_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        if (OP_OWNER(o->state) || OP_RWLOCK_READERS(o->state))
                misuse(t, o, "initialised again while it is held");
        object_note(t, o, OP_RWLOCK_INIT);
        err = RT_REAL(pthread_rwlock_init)(l, attr);
        if (err)
                return err;
        o->state = rwlock_state((int)l->__data.__flags, o->policy);
        object_mark(o);
        o->vtime = t->clock.vtime;
        return 0;
}

RT_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_rwlock_destroy)(l);
        o = object_of(l);
        op_perform(t, OP_RWLOCK_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        held_destroy(t, o, OP_OWNER(o->state) || OP_RWLOCK_READERS(o->state), OP_RWLOCK_DESTROY);
        return 0;
}

RT_STUB(pthread_rwlock_rdlock, rwlock_rdlock, "default")
int rwlock_rdlock(pthread_rwlock_t *l) __attribute__((used));
int rwlock_rdlock(pthread_rwlock_t *l)
{
        if (!rt_cur)
                return RT_REAL(pthread_rwlock_rdlock)(l);
        return lock(rt_cur, object_of(l), false, NULL, RT_STUB_SITE());
}

RT_STUB(pthread_rwlock_wrlock, rwlock_wrlock, "default")
int rwlock_wrlock(pthread_rwlock_t *l) __attribute__((used));
int rwlock_wrlock(pthread_rwlock_t *l)
{
        if (!rt_cur)
                return RT_REAL(pthread_rwlock_wrlock)(l);
        return lock(rt_cur, object_of(l), true, NULL, RT_STUB_SITE());
}

RT_STUB(pthread_rwlock_tryrdlock, rwlock_tryrdlock, "default")
int rwlock_tryrdlock(pthread_rwlock_t *l) __attribute__((used));
int rwlock_tryrdlock(pthread_rwlock_t *l)
{
        if (!rt_cur)
                return RT_REAL(pthread_rwlock_tryrdlock)(l);
        return try_lock(rt_cur, object_of(l), false, RT_STUB_SITE());
}

RT_STUB(pthread_rwlock_trywrlock, rwlock_trywrlock, "default")
int rwlock_trywrlock(pthread_rwlock_t *l) __attribute__((used));
int rwlock_trywrlock(pthread_rwlock_t *l)
{
        if (!rt_cur)
                return RT_REAL(pthread_rwlock_trywrlock)(l);
        return try_lock(rt_cur, object_of(l), true, RT_STUB_SITE());
}

#define TIMED(what, write)                                                                                         \
        RT_STUB(pthread_rwlock_timed##what, rwlock_timed##what, "default")                                         \
        int rwlock_timed##what(pthread_rwlock_t *l, const struct timespec *ts) __attribute__((used));              \
        int rwlock_timed##what(pthread_rwlock_t *l, const struct timespec *ts)                                     \
        {                                                                                                          \
                if (!rt_cur)                                                                                       \
                        return RT_REAL(pthread_rwlock_timed##what)(l, ts);                                         \
                return lock_until(rt_cur, object_of(l), write, CLOCK_REALTIME, ts, RT_STUB_SITE());                \
        }                                                                                                          \
        RT_STUB(pthread_rwlock_clock##what, rwlock_clock##what, "default")                                         \
        int rwlock_clock##what(pthread_rwlock_t *l, clockid_t c, const struct timespec *ts) __attribute__((used)); \
        int rwlock_clock##what(pthread_rwlock_t *l, clockid_t c, const struct timespec *ts)                        \
        {                                                                                                          \
                if (!rt_cur)                                                                                       \
                        return RT_REAL(pthread_rwlock_clock##what)(l, c, ts);                                      \
                return lock_until(rt_cur, object_of(l), write, c, ts, RT_STUB_SITE());                             \
        }

TIMED(rdlock, false)
TIMED(wrlock, true)

/* It gives a lock back that it holds for reading; false: it does not hold it. */
static bool forget_read(struct thread *t, const struct object *o)
{
        uint32_t n = t->held.n_reads;

        if (n > RT_MAX_READS) { /* it has held so many that not all are known */
                t->held.n_reads--;
                return OP_RWLOCK_READERS(o->state) > 0;
        }
        for (uint32_t i = 0; i < n; i++)
                if (t->held.reads[i] == o) {
                        t->held.reads[i] = t->held.reads[n - 1];
                        t->held.n_reads = n - 1;
                        return OP_RWLOCK_READERS(o->state) > 0;
                }
        return false;
}

RT_STUB(pthread_rwlock_unlock, rwlock_unlock, "default")
int rwlock_unlock(pthread_rwlock_t *l) __attribute__((used));
int rwlock_unlock(pthread_rwlock_t *l)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;
        bool writer, wrong;

        if (!t)
                return RT_REAL(pthread_rwlock_unlock)(l);
        o = object_of(l);
        how = op_arrive(t, OP_RWLOCK_UNLOCK, o->addr, 8, o, RT_STUB_SITE());
        misuse_gone_unsaid(t, how, o);
        writer = OP_OWNER(o->state) != 0;
        wrong = writer ? OP_OWNER(o->state) != t->id + 1u : !forget_read(t, o);
        op_log(t, how,
               wrong    ? (uint32_t)WIRE_MODE_READ
               : writer ? (uint32_t)WIRE_MODE_WRITE
                        : reader_mode(o),
               o->state);
        if (wrong) /* it has changed nothing */
                misuse(t, o, "unlocked by a thread that does not hold it");
        held_give(t, t);
        if (writer) {
                o->state &= ~UINT64_C(0xffff);
                o->vtime = t->clock.vtime;
        } else if (OP_RWLOCK_READERS(o->state)) {
                o->state -= OP_RWLOCK_READER;
                if (t->clock.vtime > o->vtime_shared)
                        o->vtime_shared = t->clock.vtime;
        }
        return 0;
}
