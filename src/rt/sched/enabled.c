/* See enabled.h.  What is not a state of the object (the end of a thread, a signal) is a case of its own here. */
#include "rt/sched/enabled.h"

#include "rt/user/plugin.h"
#include "rt/sync/object.h"
#include "rt/weak/mm.h"

/* A join is a transition only where it has to wait: whether it does differs between equivalent executions, so it counts for
 * nothing. */
bool sched_used_up(const struct thread *t)
{
        return rt.down->thread_depth && t->turn.spent >= rt.down->thread_depth && t->pend.op != OP_JOIN;
}

bool sched_enabled(const struct thread *t)
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
