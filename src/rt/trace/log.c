/*
 * See log.h.  An entry changes what others wait for: sleeping actors, threads in loops, invariants.
 */
#include "rt/trace/log.h"

#include "rt/memory/heap.h"
#include "rt/memory/memcheck.h"
#include "rt/loops/await.h"
#include "rt/loops/cut.h"
#include "rt/loops/cycle.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/sched/enabled.h"
#include "rt/trace/entry.h"
#include "rt/sched/fair.h"
#include "rt/user/invariants.h"
#include "rt/loops/spin.h"
#include "rt/loops/tracking.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"
#include "rt/signal/delivery_look.h"

static struct wire_event scratch; /* of operations that leave no entry */

/* An atomic update that writes what is there already: a thread that waits in a loop would find the same again. */
static bool leaves_value(const struct pending *p, uint64_t value)
{
        uint64_t now = 0;

        if ((p->op != OP_RMW && p->op != OP_UPDATE) || p->size > sizeof now)
                return false;
        rt_copy(&now, (const void *)(uintptr_t)p->obj, p->size);
        return now == value;
}

/* Is it the operation of the decision?  In known loops an update has another name; the run that the decision is from may have known
 * fewer, or none, as those do in which threads wait. */
static bool as_decided(const struct wire_decision *d, const struct pending *p)
{
        bool update = (d->op == OP_RMW || d->op == OP_UPDATE) && (p->op == OP_RMW || p->op == OP_UPDATE);

        return (!d->op || d->op == p->op || update) && (!d->obj || d->obj == p->obj);
}

static void end_solo(struct thread *t)
{
        t->spin.solo = false;
        t->spin.window = 0;
        tracking_end(t);
}

struct wire_event *op_log(struct thread *t, enum arrival how, uint32_t mode, uint64_t value)
{
        const struct pending *p = &t->pend;
        uint32_t i = ex.n_transitions, flags = 0;

        if (RT_UNLIKELY(p->object && heap_has(p->obj)) && how == ARRIVE_PRIVATE)
                memory_check(t, p->op, p->obj, 1, p->site);
        if (how == ARRIVE_PRIVATE)
                return &scratch;
        if (how != ARRIVE_INNER) {
                if (i < rt.n_prefix && !rt.segments) {
                        if (!as_decided(&rt.prefix[i], p))
                                sched_diverged("thread %u does something else than before", t->id);
                }
                flags = how == ARRIVE_FORCED ? WIRE_EV_SCHED | WIRE_EV_FORCED : WIRE_EV_SCHED;
        }
        struct wire_event *e = entry_add(t, flags, p->op, p->obj, p->size, mode, value);
        mm_performed(t, e);
        if (how != ARRIVE_INNER) { /* counted once the entry is there: a cut leaves both numbers in step */
                ex.n_transitions = i + 1;
                t->turn.transitions++;
                t->turn.spent += p->op != OP_JOIN;
                t->spin.n_inner = p->op == OP_PREEMPT ? t->spin.n_inner : 0;
                if (RT_UNLIKELY(rt.down->fair))
                        fair_turn(t);
                if (RT_UNLIKELY(t->turn.let_go))
                        fair_continues(t, e);
                position_patience(t, position_of(t) + RT_PATIENCE);
                if (RT_UNLIKELY(t->spin.window))
                        end_solo(t);
        }
        t->spin.n_inner += how == ARRIVE_INNER;
        if (RT_UNLIKELY(p->object && heap_has(p->obj)))
                memory_check(t, p->op, p->obj, 1, p->site);
        if (RT_UNLIKELY(rt.down->n_invariants) && (mode == WIRE_MODE_WRITE || mode == WIRE_MODE_COMMUTE))
                watch_write(t, p->obj, p->size);
        if (RT_UNLIKELY(spin_watchers)) {
                await_performed(t, ex.n_events - 1);
                if (cycle_on)
                        cycle_did(p->op);
                if (op_is_progress(p->op))
                        spin_moved(t);
                if (mode == WIRE_MODE_WRITE || mode == WIRE_MODE_COMMUTE) {
                        if (!leaves_value(p, value))
                                spin_wake(t, p->obj, p->size);
                        cut_performs(t);
                }
        }
        if (RT_UNLIKELY(rt.sends_signals) && how == ARRIVE_EVENT)
                delivery_looked(t);
        return e;
}

struct wire_event *op_also(struct thread *t, enum arrival how, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                           uint64_t value)
{
        struct wire_event *e;

        if (how == ARRIVE_PRIVATE)
                return &scratch;
        e = entry_add(t, 0, op, obj, size, mode, value);
        if (RT_UNLIKELY(rt.down->n_invariants) && mode == WIRE_MODE_WRITE && op != OP_WATCH)
                watch_write(t, obj, size);
        if (RT_UNLIKELY(spin_watchers) && mode == WIRE_MODE_WRITE) {
                spin_wake(t, obj, size);
                cut_effect(t);
        }
        return e;
}
