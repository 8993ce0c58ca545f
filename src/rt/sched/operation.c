/*
 * Operations: the way of a thread through one of them.
 *
 * A wrapper comes here with the operation it is about to perform (op_arrive) and continues when it is its thread's turn;
 * then it writes the entry (op_log) and performs the operation.  What no other thread can tell needs no turn and leaves no
 * entry.
 */
#include "rt/sched/operation.h"

#include "rt/fault.h"
#include "rt/memory/shadow.h"
#include "rt/memory/unsettled.h"
#include "rt/loops/await.h"
#include "rt/loops/cycle.h"
#include "rt/loops/masks.h"
#include "rt/position.h"
#include "rt/sched/enabled.h"
#include "rt/sched/end.h"
#include "rt/trace/entry.h"
#include "rt/user/invariants.h"
#include "rt/trace/log.h"
#include "rt/sched/points.h"
#include "rt/sched/sched.h"
#include "rt/sched/tail.h"
#include "rt/loops/spin.h"
#include "rt/loops/tracking.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/weak/mm.h"
#include "rt/signal/delivery.h"

static bool in_ignored_memory(uint64_t obj, uint32_t size)
{
        const struct wire_down *d = rt.down;

        for (uint32_t i = 0; i < d->n_ignored && i < WIRE_MAX_IGNORED; i++)
                if (obj >= d->ignored[i].lo && obj + size <= d->ignored[i].hi)
                        return true;
        return false;
}

bool op_ignored_slow(const struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        return (t->section.ignored && op_has(op, OPF_PLAIN)) ||
               (t->marks.trust_depth && op_has(op, OPF_PLAIN | OPF_ATOMIC)) ||
               (op_has(op, OPF_PLAIN | OPF_ATOMIC) && in_ignored_memory(obj, size));
}

/* A thread that waits in a loop for what is written here must see it all the same. */
static bool hide_ignored(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        if (!op_ignored(t, op, obj, size))
                return false;
        if (RT_UNLIKELY(spin_watchers) && !op_has(op, OPF_LOADS))
                spin_wake(t, obj, size);
        if (RT_UNLIKELY(t->spin.solo)) /* it may wait here for what another thread writes */
                shadow_touch(t, obj, size);
        mm_hide(t, op, (uintptr_t)obj, size);
        return true;
}

/* Can another thread tell whether and when this operation happens? */
static bool matters(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        enum op_seen seen = op_seen(op);

        if (seen == OP_SEEN_ALWAYS)
                return true;
        if (hide_ignored(t, op, obj, size))
                return false;
        switch (seen) {
        case OP_SEEN_TOUCHED: return shadow_touch(t, obj, size);
        case OP_SEEN_STREAM: return shadow_is_shared(obj);
        case OP_SEEN_STATE: return shadow_use(t, obj, op_mode(op));
        default: break;
        }
        if (shadow_touch(t, obj, size))
                return true;
        if ((op == OP_COND_WAIT || op == OP_COND_TIMEOUT) && rt.down->spurious)
                return true; /* whether it ends by itself is a decision */
        if (rt.preempt == WIRE_PREEMPT_SYNC && !op_has(op, OPF_PLAIN) && !t->section.atomic)
                t->turn.point_due |= point_here(t, op);
        return false;
}

/* Where transitions are blocks: does one begin here?  A preemption point at an operation that no other thread can observe is moved to
 * the next one that others can, since nothing is between them: so it costs nothing where that is a preemption point, too. */
static bool begins_block(struct thread *t, uint32_t op)
{
        bool here = point_here(t, op);

        return here || t->turn.point_due;
}

/* May it ask the schedule for a choice value?  A wait on a condition variable does so if it may end by itself. */
static bool asks(uint32_t op)
{
        return op_has(op, OPF_CHOICES) && (op != OP_COND_WAIT || rt.down->spurious);
}

static enum arrival how_it_arrives(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        bool drains = mm_drains(t);

        if (!matters(t, op, obj, size) && !t->turn.also_shared)
                return drains && mm_fences(op) ? ARRIVE_EVENT : ARRIVE_PRIVATE;
        if (drains) { /* it may have to wait, so it is a point wherever it is */
                mm_undelayed(t, op, (uintptr_t)obj, size);
                return ARRIVE_EVENT;
        }
        if (op == OP_FENCE)
                return ARRIVE_INNER;
        if (mm_delays(t, op, (uintptr_t)obj, size))
                return ARRIVE_BUFFERED;
        if (rt.preempt == WIRE_PREEMPT_SYNC) {
                if (!begins_block(t, op))
                        return ARRIVE_INNER;
        } else if (op_has(op, OPF_ORDERS_ONLY) && !(op == OP_JOIN && t->turn.also_shared)) {
                return ARRIVE_INNER;
        }
        if (RT_UNLIKELY(t->section.atomic) && op != OP_COND_TIMEOUT)
                return asks(op) ? ARRIVE_FORCED : ARRIVE_INNER;
        return ARRIVE_EVENT;
}

/* Is the store that goes to the buffer a point?  Where there are blocks, for the sake of what follows it: that begins a block
 * as without buffers. */
static bool buffered_point(struct thread *t, enum arrival how, uint32_t op)
{
        return how == ARRIVE_BUFFERED && rt.preempt == WIRE_PREEMPT_SYNC && begins_block(t, op);
}

/* Where it is not to be preempted, a thread may wait in a loop for another: then it is blocked there, and the operation
 * begins a transition.  Looked for once it has come by many operations without doing anything else. */
static enum arrival wait_inside(struct thread *t, uint32_t op, uintptr_t site)
{
        if (t->spin.n_inner < RT_INNER_PATIENCE || t->section.atomic)
                return ARRIVE_INNER;
        spin_check(t, op, site);
        return t->state == WIRE_T_SPIN ? ARRIVE_EVENT : ARRIVE_INNER;
}

/* Where transitions are blocks, a thread may wait in a loop at an operation that others cannot observe, while it holds no mutex. */
static enum arrival wait_unseen(struct thread *t, uint32_t op, uintptr_t site)
{
        if (op_has(op, OPF_PLAIN) || !op_has(op, OPF_LOOKS) || t->spin.solo)
                return ARRIVE_PRIVATE;
        spin_check(t, op, site);
        return t->state == WIRE_T_SPIN ? ARRIVE_EVENT : ARRIVE_PRIVATE;
}

static void be_patient(struct thread *t, uint64_t calls)
{
        position_patience(t, calls < UINT32_MAX - position_of(t) ? position_of(t) + (uint32_t)calls : UINT32_MAX);
}

/* At first its private memory is watched too: it may spin.  If it does not, others go first, and it computes unwatched for some
 * time.  The next time it is watched for twice as long, since its loop may be a long one, and then not for four times as long.  All of this follows from its hook calls, so
 * that every run with the same schedule finds the same. */
static void lose_patience(struct thread *t)
{
        uint64_t unchecked;

        if (!t->spin.solo) {
                t->spin.window = t->spin.window ? t->spin.window : RT_PATIENCE;
                be_patient(t, t->spin.window);
                t->spin.solo = true;
                position_mark(t, RT_MARK_NONE);
                return;
        }
        sched_give_way(t);
        t->spin.solo = false;
        spin_moved(t);
        position_mark(t, sched_fast_mark(t));
        unchecked = (uint64_t)t->spin.window * t->spin.window / RT_PATIENCE * RT_UNCHECKED;
        be_patient(t, unchecked < RT_MAX_UNCHECKED ? unchecked : RT_MAX_UNCHECKED);
        if (t->spin.window < RT_MAX_WINDOW)
                t->spin.window *= 2;
}

/* Before the snapshot the main thread owns what it touches, and there is nobody to be patient with: positions have 32 bits. */
static void alone(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        if ((op == OP_READ || op == OP_WRITE) && !op_ignored(t, op, obj, size))
                shadow_touch(t, obj, size);
        if (position_left(t) <= 0)
                position_step(t, -((int64_t)1 << 32));
}

/* Inside a transaction. */
static void speculate(struct thread *t, uint32_t op, uint64_t obj, uint32_t size)
{
        if (op_has(op, OPF_KERNEL))
                speculation_stop(t, 0);
        speculation_note(t, op, obj, size);
}

/* It waits in a loop, and a signal is on its way: that arrives. */
static void wait_for_signal(struct thread *t)
{
        spin_moved(t);
        t->state = WIRE_T_READY;
        t->signals.spins = true;
}

/* The transition before this operation is complete. */
static void come_to_point(struct thread *t, uint32_t op, uintptr_t site)
{
        if (t->state != WIRE_T_SPIN)
                spin_check(t, op, site);
        if (RT_UNLIKELY(t->state == WIRE_T_SPIN && t->signals.ready && delivery_at(op)))
                wait_for_signal(t);
        bool all;
        if (RT_UNLIKELY(t->state == WIRE_T_SPIN) && spin_retries(t, &all) && all) {
                if (!rt.segments && ex.n_transitions >= rt.n_prefix)
                        exec_end(WIRE_END_CUT);
                spin_overrule(t);
        }
        if (RT_UNLIKELY(rt.down->n_invariants) && !t->turn.eager_parent)
                watch_state(t, t);
        if (RT_UNLIKELY(ex.n_transitions >= cycle_from))
                cycle_look(t, site);
}

/* Messages wait for the thread, whose turn it is: handlers run first, or inside the operation.  An operation that asks for a choice value, or
 * begins a section, is a transition of its own after that. */
static enum arrival signal_turn(struct thread *t, enum arrival how)
{
        struct pending p = t->pend;

        if (!delivery_at(p.op) || t->section.atomic)
                return how;
        if (t->signals.skip) {
                t->signals.skip = false;
                return how;
        }
        t->signals.fresh = false;
        bool able = sched_proceeds(t);
        if (delivery_over(t, able))
                return how;
        if (!delivery_decide(t, able)) {
                if (how != ARRIVE_EVENT)
                        return how;
                if (!asks(p.op) && !op_has(p.op, OPF_SECTION))
                        return ARRIVE_INNER;
                t->signals.skip = true;
        } else if (t->signals.interrupted) {
                return ARRIVE_INNER;
        }
        position_step(t, 1);
        return op_arrive_counted(t, p.op, p.obj, p.size, p.object, p.site);
}

/* Does the replay let a handler run here, at what may not be known to be a point yet? */
static bool replay_signals(const struct thread *t)
{
        uint32_t choice;

        return rt.segments && tail_signal(t, &choice);
}

enum arrival op_arrive_counted(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                               uintptr_t site)
{
        struct pending *p = &t->pend;
        enum arrival how;

        if (RT_UNLIKELY(torn_open))
                torn_settle(t);
        if (RT_UNLIKELY(t->signals.depth))
                delivery_left(t, (uintptr_t)__builtin_frame_address(0));
        if (RT_UNLIKELY(t->signals.waits) && (op_has(op, OPF_WOKEN | OPF_RELOCKS) || op == OP_BARRIER_WAIT))
                rt_refuse("a signal handler that waits while its thread waits (let it write to a pipe)");
        p->op = (uint8_t)op;
        p->obj = obj;
        p->size = size;
        p->object = o;
        p->site = site = RT_UNLIKELY(t->stack.via) ? t->stack.via : site;
        if (RT_UNLIKELY(watch_is(t)))
                return watch_arrive(op, obj, size);
        if (RT_UNLIKELY(t->unsaid != NULL))
                op_note_store(t);
        if (RT_UNLIKELY(t->weak.open))
                torn_made(t);
        mm_settle(t);
        if (RT_UNLIKELY(!rt.live)) {
                if (!op_may_wait(op) || sched_proceeds(t)) {
                        alone(t, op, obj, size);
                        return ARRIVE_PRIVATE;
                }
                snapshot_ensure(); /* it waits for a thread that does not exist */
        }
        if (RT_UNLIKELY(t->section.txn))
                speculate(t, op, obj, size);
        mm_arrive(t, op);
        how = how_it_arrives(t, op, obj, size);
        if (how != ARRIVE_EVENT && op_may_wait(op) && !sched_proceeds(t)) {
                if (how == ARRIVE_INNER && o)
                        entry_add(t, 0, OP_PEEK, obj, size, WIRE_MODE_READ, o->state)->pos--; /* not performed yet */
                if (RT_UNLIKELY(t->section.txn))
                        speculation_stop(t, 0);
                how = ARRIVE_EVENT;
        }
        if (how == ARRIVE_INNER)
                how = wait_inside(t, op, site);
        if (how == ARRIVE_PRIVATE && t->turn.point_due)
                how = wait_unseen(t, op, site);
        if (RT_UNLIKELY(position_of(t) >= t->turn.patience) && how == ARRIVE_PRIVATE && !t->section.atomic)
                lose_patience(t);
        if (RT_UNLIKELY(t->spin.solo) && how == ARRIVE_PRIVATE) {
                spin_check(t, op, site);
                if (t->state == WIRE_T_SPIN) {
                        if (RT_UNLIKELY(t->signals.ready))
                                wait_for_signal(t);
                        if (RT_UNLIKELY(rt.down->n_invariants))
                                watch_state(t, t);
                        sched_point(t);
                        if (RT_UNLIKELY(t->signals.ready))
                                return signal_turn(t, how);
                }
        }
        if (RT_UNLIKELY(t->spin.armed) && how == ARRIVE_PRIVATE)
                await_peeks(t, obj);
        if (how == ARRIVE_PRIVATE)
                masks_access(t, op, obj, size);
        bool fresh = RT_UNLIKELY(t->signals.fresh) && delivery_at(op) && !t->section.atomic;
        bool turn = how == ARRIVE_EVENT || fresh || (mm_is_weak() && buffered_point(t, how, op));
        t->turn.point_due &= !turn;
        if (RT_UNLIKELY(rt.segments)) {
                t->turn.visible = turn;
                if (turn)
                        come_to_point(t, op, site);
                if (turn || (!t->section.atomic && op != OP_END)) /* a thread ends with its last hook */
                        sched_point(t);
        } else if (turn) {
                come_to_point(t, op, site);
                sched_point(t);
        } else if (how == ARRIVE_FORCED) {
                sched_forced_point(t);
        }
        if (RT_UNLIKELY(t->signals.ready) && (turn || replay_signals(t)))
                return signal_turn(t, how);
        if (RT_UNLIKELY(fresh) && how != ARRIVE_EVENT)
                delivery_gone(t);
        if (RT_UNLIKELY(turn && !fresh && how == ARRIVE_BUFFERED))
                t->weak.begun = op_log(t, ARRIVE_EVENT, WIRE_MODE_NONE, 0);
        return how;
}

enum arrival op_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o, uintptr_t site)
{
        position_step(t, 1);
        return op_arrive_counted(t, op, obj, size, o, site);
}

enum arrival op_perform(struct thread *t, uint32_t op, struct object *o, uint32_t mode, uintptr_t site)
{
        enum arrival how = op_arrive(t, op, o->addr, 8, o, site);

        op_log(t, how, mode, o->state);
        return how;
}
