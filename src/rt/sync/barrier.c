/*
 * Barriers.
 *
 * A wait is two transitions: to arrive, which commutes with other arrivals of the same round, and to leave, once all are
 * there.  Which of them becomes the serial thread is a decision, taken with the last arrival: its choice is that
 * thread's number + 1.  A policy decides instead: the thread with the lowest or the highest number.
 */
#include <errno.h>
#include <pthread.h>

#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/choice.h"
#include "rt/sched/end.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/threads.h"

static bool is_at(const struct thread *t, const struct object *o)
{
        return t->wait.queued == o && t->state == WIRE_T_READY;
}

/* The first thread at the barrier from `id` on, as a choice; 0: none. */
static uint32_t waiter_from(const void *o, uint32_t id)
{
        for (; id < ex.n_threads; id++)
                if (is_at(&threads[id], o))
                        return id + 1;
        return 0;
}

static uint32_t last_waiter(const struct object *o)
{
        for (uint32_t id = ex.n_threads; id-- > 0;)
                if (is_at(&threads[id], o))
                        return id + 1;
        return 0;
}

/* All are there: which is the serial thread?  As a choice. */
static uint32_t choose_serial(const struct object *o, struct wire_event *e)
{
        uint32_t choice = waiter_from(o, 0), next;

        if (o->policy == WIRE_WAKEUP_FIRST || OP_BARRIER_COUNT(o->state) == 1)
                return choice;
        if (o->policy == WIRE_WAKEUP_LAST)
                return last_waiter(o);
        choice = op_choice_of(choice, waiter_from, o);
        if (choice == 0 || choice > ex.n_threads || !is_at(&threads[choice - 1], o))
                exec_end_text(WIRE_END_DIVERGED, ex.n_transitions, "the serial thread is not at the barrier");
        next = waiter_from(o, choice);
        e->choice = choice;
        e->next_choice = next ? next : WIRE_NO_CHOICE;
        return choice;
}

static void end_round(struct object *o, uint32_t serial)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                if (!is_at(t, o))
                        continue;
                t->wait.queued = NULL;
                t->wait.signalled = 1;
                t->wait.serial = i + 1 == serial;
                if (o->vtime_shared > t->clock.vtime)
                        t->clock.vtime = o->vtime_shared;
        }
        o->vtime_shared = 0;
        o->state = OP_BARRIER_INITIAL(OP_BARRIER_COUNT(o->state)) | (uint64_t)(OP_BARRIER_ROUND(o->state) + 1) << 32;
}

RT_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned count)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_barrier_init)(b, attr, count);
        if (count == 0 || count > INT32_MAX)
                return EINVAL;
        o = object_get(b, OP_OBJ_BARRIER);
        op_perform(t, OP_BARRIER_INIT, o, WIRE_MODE_WRITE, RT_SITE());
        if (OP_BARRIER_ARRIVED(o->state))
                misuse(t, o, "initialised again while threads wait at it");
        object_note(t, o, OP_BARRIER_INIT);
        o->state = OP_BARRIER_INITIAL(count < 0xffff ? count : 0xffff); /* more threads than there can be */
        return 0;
}

RT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t)
                return RT_REAL(pthread_barrier_destroy)(b);
        o = object_get(b, OP_OBJ_BARRIER);
        op_perform(t, OP_BARRIER_DESTROY, o, WIRE_MODE_WRITE, RT_SITE());
        misuse_gone(t, o);
        if (OP_BARRIER_ARRIVED(o->state))
                misuse(t, o, "destroyed while threads wait at it");
        object_destroy(t, o, OP_BARRIER_DESTROY);
        return 0;
}

/* Which half of the barrier an arrival of this round touches as one that commutes is known only in its turn. */
static struct wire_event *log_arrival(struct thread *t, enum arrival how, struct object *o, uint32_t round)
{
        uint64_t half = o->addr + 4 * (round & 1), other = o->addr + 4 * (~round & 1);
        struct wire_event *e;

        t->pend.obj = half;
        t->pend.size = 4;
        e = op_log(t, how, WIRE_MODE_COMMUTE, o->state);
        op_also(t, how, OP_BARRIER_WAIT, other, 4, WIRE_MODE_READ, o->state);
        op_also(t, how, OP_BARRIER_WAIT, WIRE_OBJ_ROUND(o->addr, round), 8, WIRE_MODE_COMMUTE, o->state);
        return e;
}

RT_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
        struct thread *t = rt_cur;
        struct object *o;
        struct wire_event *e;
        enum arrival how;
        uint32_t round;
        bool last;

        if (!t)
                return RT_REAL(pthread_barrier_wait)(b);
        o = object_get(b, OP_OBJ_BARRIER);
        how = op_arrive(t, OP_BARRIER_WAIT, o->addr, 8, o, RT_SITE());
        round = OP_BARRIER_ROUND(o->state);
        e = log_arrival(t, how, o, round);
        misuse_gone(t, o);
        if (!OP_BARRIER_COUNT(o->state))
                misuse(t, o, "used before it was initialised");
        object_note(t, o, OP_BARRIER_WAIT);
        t->wait.queued = o;
        t->wait.signalled = 0;
        if (t->clock.vtime > o->vtime_shared)
                o->vtime_shared = t->clock.vtime;
        o->state++;
        last = OP_BARRIER_ARRIVED(o->state) == OP_BARRIER_COUNT(o->state);
        if (last)
                end_round(o, choose_serial(o, e));
        if (!last || how != ARRIVE_PRIVATE) {
                how = op_arrive(t, OP_BARRIER_LEAVE, WIRE_OBJ_ROUND(o->addr, round), 8, o, RT_SITE());
                op_log(t, how, WIRE_MODE_READ, 0);
        }
        return t->wait.serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
