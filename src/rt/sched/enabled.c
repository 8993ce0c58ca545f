/* See enabled.h.  What is not a state of the object (the end of a thread, a signal) is a case of its own here. */
#include "rt/sched/enabled.h"

#include "rt/notes.h"
#include "rt/sched/end.h"
#include "rt/user/plugin.h"
#include "rt/sync/object.h"
#include "rt/weak/mm.h"
#include "rt/signal/points.h"

#define ALONE 8u /* times --fair-after */

/* A join is a transition only where it has to wait: whether it does differs between equivalent executions, so it counts for
 * nothing. */
bool sched_used_up(const struct thread *t)
{
        return rt.down->thread_depth && t->turn.spent >= rt.down->thread_depth && t->pend.op != OP_JOIN;
}

/* A signal lets a thread that waits run its handler. */
bool sched_able_slow(const struct thread *t)
{
        if (RT_UNLIKELY(t->signals.ready) && t->state == WIRE_T_READY && delivery_at(t->pend.op))
                return true;
        return sched_proceeds(t);
}

bool sched_proceeds(const struct thread *t)
{
        const struct pending *p = &t->pend;

        if (t->state != WIRE_T_READY)
                return mm_may_flush(t);
        if (mm_must_wait(t))
                return false;
        if (RT_UNLIKELY(rt.down->thread_depth) && sched_used_up(t))
                return false;
        if (RT_UNLIKELY(t->cancel.interrupted) && !op_has(p->op, OPF_RELOCKS))
                return true;
        switch (p->op) {
        case OP_JOIN: return thread_has_ended(&threads[p->peer]) || t->wait.let_go;
        case OP_FUTEX_RETURN: return t->wait.signalled || t->wait.timed || t->wait.let_go;
        case OP_CHANNEL_POLL: return !t->poll.waiting || t->wait.signalled || t->wait.let_go;
        case OP_EXIT: return !ex.exited;
        case OP_MUTEX_RELOCK:
                return (t->wait.signalled || t->cancel.interrupted) && op_enabled(p->op, p->object->state, t->id);
        case OP_MUTEX_REQUEUE: return t->wait.signalled || t->cancel.interrupted;
        case OP_BARRIER_LEAVE: return t->wait.signalled;
        default:
                if (RT_UNLIKELY(p->op >= OP_USER))
                        return userop_enabled(t);
                return !op_blocks(p->op) || op_enabled(p->op, p->object->state, t->id) || t->wait.let_go;
        }
}

/* Joins: see sched_used_up(). */
bool fair_waits(const struct thread *t)
{
        uint32_t limit = rt.flags & WIRE_FAIR && !rt.segments ? rt.down->fair_limit : 0;

        if (!limit || t->turn.spent < t->turn.share + limit || t->pend.op == OP_JOIN || t->turn.let_go ||
            t->section.atomic)
                return false;
        return !t->held.n_mutexes || t->turn.spent >= t->turn.share + 2 * limit; /* others may wait for a lock of it */
}

/* A thread that has only used up its --thread-depth could continue. */
static bool could_run(const struct thread *t)
{
        return sched_enabled(t) || (t->state == WIRE_T_READY && sched_used_up(t));
}

/* Does it wait with a deadline?  A wait on a condition variable that a signal or a cancellation has ended only takes its mutex,
 * however long that takes. */
static bool waits_timed(const struct thread *t)
{
        return t->state == WIRE_T_READY && t->wait.deadline != RT_NO_DEADLINE &&
               !(t->wait.cond && (t->wait.signalled || t->cancel.interrupted));
}

/* Has a thread stopped for good after a round without effect? */
static bool one_stopped(void)
{
        for (uint32_t i = 0; i < ex.n_threads && rt.flags & WIRE_CUT_LOOPS; i++)
                if (threads[i].state == WIRE_T_SPIN)
                        return true;
        return false;
}

void fair_alone(const struct thread *t)
{
        uint32_t most = rt.flags & WIRE_FAIR ? ALONE * rt.down->fair_after : rt.down->fair_after;

        if (t != ex.alone) {
                ex.alone = t;
                ex.alone_from = ex.n_transitions;
        }
        if (ex.n_transitions < ex.alone_from + most || ex.n_transitions < rt.n_prefix || ex.going_on ||
            (rt.segments && ex.segment < rt.down->n_segments))
                return;
        if (rt.foreign && ex.n_failures) { /* its loops are not judged: it may wait for a thread that has failed */
                rt_note_incomplete(REASON_FAIR, NULL);
                exec_end(WIRE_END_FAILED);
        }
        if (rt.segments || !(ex.left || one_stopped()))
                return;
        rt.up->endless = 1;
        if (!(rt.flags & WIRE_FAIR) || rt.down->fair_limit)
                rt_note_incomplete(REASON_FAIR, NULL);
        exec_end(ex.left ? WIRE_END_DONE : WIRE_END_CUT);
}

void fair_let_go(void)
{
        struct thread *next = NULL;

        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                if (sched_enabled(t))
                        return;
                if (sched_able(t) && (!next || t->turn.share < next->turn.share))
                        next = t;
        }
        if (next && next->turn.share && one_stopped())
                exec_end(WIRE_END_CUT);
        if (next && !ex.left)
                next->turn.let_go = true;
}

void fair_continues(struct thread *t, struct wire_event *e)
{
        e->weak |= WIRE_WEAK_FAIR;
        t->turn.let_go = false;
        t->turn.share = t->turn.spent;
}

struct thread *timed_unseen(const struct thread *t)
{
        if (!rt.stuck || !waits_timed(t) || sched_enabled(t))
                return NULL;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (sched_enabled(&threads[i]) && !thread_is_buffer(&threads[i]) && !threads[i].turn.visible)
                        return &threads[i];
        return NULL;
}

void timed_let_go(void)
{
        struct thread *first = NULL;

        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                if (could_run(t))
                        return;
                if (waits_timed(t) && (!first || t->wait.deadline < first->wait.deadline))
                        first = t;
        }
        if (!first)
                return;
        first->wait.let_go = true;
        if (first->wait.cond) { /* it leaves the waiters, and takes the mutex after that */
                first->pend.op = OP_COND_TIMEOUT;
                first->pend.object = first->wait.cond;
                first->pend.obj = first->wait.cond->addr;
        }
}
