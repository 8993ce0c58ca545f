/* See report.h: the state of the threads, and what the user observes. */
#include "rt/sched/report.h"

#include "rt/loops/await.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/sched/enabled.h"
#include "rt/trace/entry.h"
#include "rt/user/plugin.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"
#include "rt/world/exit.h"

/* Does it wait on a condition variable, and nothing has woken it?  A thread that was woken or cancelled waits for
 * its mutex. */
static bool waits_signal(const struct thread *t)
{
        return op_has(t->pend.op, OPF_RELOCKS) && !t->wait.signalled && !t->cancel.interrupted;
}

static uint32_t holder_of(const struct thread *t)
{
        const struct pending *p = &t->pend;

        if (p->op == OP_JOIN)
                return p->peer;
        if (p->object && op_owner(p->object->kind, p->object->state) && !waits_signal(t))
                return op_owner(p->object->kind, p->object->state) - 1;
        return WIRE_NO_ACTOR;
}

static void describe_thread(const struct thread *t, struct wire_thread *w, bool all)
{
        const struct pending *p = &t->pend;
        bool on_cond = waits_signal(t) && t->wait.cond;

        w->state = t->state;
        if (RT_UNLIKELY(thread_is_buffer(t))) {
                *w = (struct wire_thread){.state = WIRE_T_BUFFER,
                                          .holder = (uint16_t)thread_owner(t),
                                          .transitions = t->turn.transitions};
                return;
        }
        if (t->state == WIRE_T_READY && !sched_able(t))
                w->state = sched_used_up(t) ? WIRE_T_BUDGET : WIRE_T_BLOCKED;
        w->op = on_cond ? OP_COND_WAIT : p->op;
        w->obj = on_cond ? t->wait.cond->addr : p->obj;
        w->value = p->op >= OP_USER ? userop_label(t) : 0;
        if (p->op == OP_BARRIER_LEAVE) {
                w->op = OP_BARRIER_WAIT;
                w->obj = p->object->addr;
        }
        w->site = p->site;
        w->pos = position_of(t);
        w->transitions = t->turn.transitions;
        w->cancels = RT_UNLIKELY(t->cancel.at_point) && shadow_is_shared(WIRE_OBJ_CANCEL(t->id));
        w->holder = WIRE_NO_ACTOR;
        w->n_stack = 0;
        if (!all)
                return;
        w->holder = holder_of(t);
        for (uint32_t d = calls_under_way(t); d > 0 && w->n_stack < WIRE_MAX_STACK; d--)
                if (d <= RT_MAX_CALLS)
                        w->stack[w->n_stack++] = t->stack.calls[d - 1].site;
        rt_text(w->name, sizeof w->name, t->identity.name);
        w->start = (uint64_t)(uintptr_t)t->body.start;
}

static void tell_threads(bool all)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                if (threads[i].unsaid)
                        op_note_store(&threads[i]);
                describe_thread(&threads[i], &rt.up->threads[i], all);
        }
}

void report_end(uint32_t end)
{
        struct wire_up *up = rt.up;
        bool all = (end != WIRE_END_DONE && end != WIRE_END_SLEEP) || (rt.flags & WIRE_DETAIL);

        if (end == WIRE_END_NONE) {
                tell_threads(true);
                await_report();
                return;
        }
        if (end == WIRE_END_DONE && !ex.exited)
                exit_observe(NULL);
        if (end != WIRE_END_CUT && end != WIRE_END_TOGGLES) /* they are reported as they were when it was over */
                ex.going_on = false;
        if (!ex.going_on) {
                tell_threads(all);
                await_report();
        }
        up->used_up = 0;
        for (uint32_t i = 0; i < ex.n_threads && rt.down->fair_limit; i++)
                up->used_up += threads[i].state == WIRE_T_READY && sched_able(&threads[i]) && fair_waits(&threads[i]);
        up->end = end;
        up->n_transitions = ex.n_transitions;
        up->n_threads = ex.n_threads;
        up->n_failures = ex.n_failures;
        up->n_new_shared = ex.n_new_shared;
        up->exit_status = ex.exit_status;
}
