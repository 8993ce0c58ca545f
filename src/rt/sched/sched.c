/*
 * The scheduler: which thread performs the next transition.
 *
 * One transition is what a thread does from one turn to the next.  While the prefix of the schedule lasts, it says whose
 * turn it is; then the tail policy does, leaving out the sleep set.  An actor sleeps while nothing touched what its
 * transition would touch (Godefroid's sleep sets); when every enabled actor sleeps, all that can follow has been seen,
 * and the execution ends at once.
 *
 * In a run that follows segments (replay), the turn ends at a hook count instead, and any hook can be a turning point.
 */
#include "rt/sched/sched.h"

#include "base/bitset.h"
#include "rt/arch/x86_64/fiber.h"
#include "rt/memory/leak.h"
#include "rt/memory/unsettled.h"
#include "rt/position.h"
#include "rt/sched/enabled.h"
#include "rt/sched/end.h"
#include "rt/sched/path.h"
#include "rt/trace/entry.h"
#include "rt/user/invariants.h"
#include "rt/loops/registers.h"
#include "rt/sched/sleep.h"
#include "rt/loops/await.h"
#include "rt/loops/cut.h"
#include "rt/loops/cycle.h"
#include "rt/loops/spare.h"
#include "rt/loops/spin.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"
#include "rt/waypoint/here.h"
#include "rt/weak/mm.h"
#include "rt/world/loaded.h"
#include "rt/world/mask.h"

#define GOING_ON 5000u /* transitions */

static void switch_to(struct thread *from, struct thread *to)
{
        if (RT_UNLIKELY(from->signals.mask != to->signals.mask))
                signal_switch_mask(to);
        rt_run(to);
        from->fiber.frames = spin_regs[7] == from->pend.site ? (uintptr_t)spin_regs[6] : 0; /* noted by this call? */
        mm_switch(to);
        fiber_switch(&from->fiber.sp, to->fiber.sp, to->fiber.fs);
        if (RT_UNLIKELY(cycle_on))
                cycle_back(from);
}

/* Whose turn is it? */

static void note_enabled(struct thread *only)
{
        struct wire_up *up = rt.up;
        uint32_t words = up->enabled_words;
        uint64_t *w = &up->enabled[(size_t)ex.n_transitions * words];

        if ((size_t)(ex.n_transitions + 1) * words > WIRE_MAX_EVENTS)
                exec_end_text(WIRE_END_DEPTH, 0, "the trace is full");
        for (uint32_t i = 0; i < words; i++)
                w[i] = 0;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (only ? only == &threads[i] : sched_enabled(&threads[i]))
                        bitset_add(w, i);
}

static struct thread *thread_for_turn(uint32_t actor)
{
        struct thread *t;

        if (actor >= ex.n_threads || threads[actor].state == WIRE_T_UNUSED)
                sched_diverged("thread %u is not there", actor);
        t = &threads[actor];
        if (RT_UNLIKELY(t->state == WIRE_T_SPIN) && !(rt.flags & WIRE_BY_HAND))
                spin_overrule(t);
        if (thread_is_buffer(t) && !mm_may_flush(t))
                sched_diverged("the store buffer of thread %u is empty", t->pend.peer);
        if (t->state != WIRE_T_READY && !thread_is_buffer(t))
                sched_diverged(t->state == WIRE_T_SPIN   ? "thread %u waits in a loop for another thread"
                               : t->state == WIRE_T_DONE ? "thread %u has ended"
                                                         : "thread %u has stopped",
                               actor);
        if (RT_UNLIKELY(rt.down->fair_limit) && fair_waits(t))
                t->turn.share = t->turn.spent; /* a race with what has blocked it for the rest of an execution */
        if (!sched_enabled(t))
                sched_diverged(sched_used_up(t) ? "thread %u has used up its --thread-depth" : "thread %u is blocked",
                               actor);
        return t;
}

static void follow(uint32_t i)
{
        ex.choice = rt.prefix[i].choice;
        ex.hinted = false;
        if (i + rt.n_last == rt.n_prefix)
                sleep_arm();
}

static struct thread *pick_prefix(uint32_t i)
{
        struct thread *t = thread_for_turn(rt.prefix[i].actor);

        follow(i);
        await_turn(t, rt.prefix[i].waits ? AWAIT_MAYBE : AWAIT_SCHEDULE);
        return t;
}

/* No thread can continue: how did it end? */
static _Noreturn void finish(struct thread *last)
{
        uint32_t broken = (uint32_t)__builtin_popcount(ex.watch_broken); /* these stop no thread */
        bool assume = false, budget = false, waiting = false, retries = false, all;

        loaded_look();
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                assume |= t->state == WIRE_T_ASSUME;
                waiting |= t->state == WIRE_T_READY || t->state == WIRE_T_SPIN;
                retries |= t->state == WIRE_T_SPIN && spin_retries(t, &all);
                if (t->state == WIRE_T_BUDGET || (t->state == WIRE_T_READY && sched_used_up(t)))
                        budget = true;
        }
        if (rt.flags & WIRE_CUT_LOOPS)
                spare_look();
        if (ex.going_on)
                exec_end(waiting && !ex.left ? WIRE_END_STUCK : WIRE_END_DONE);
        if (ex.n_failures > broken)
                exec_end(WIRE_END_FAILED);
        if (assume)
                exec_end(WIRE_END_ASSUME);
        if (budget)
                exec_end(WIRE_END_BUDGET);
        if (waiting && (spin_stale() || retries))
                exec_end(WIRE_END_CUT);
        if (path_on && waiting && !ex.left && !path_hangs())
                exec_end(WIRE_END_ASSUME);
        if (waiting && !ex.left)
                exec_end(spin_missed() ? WIRE_END_UNSEEN : WIRE_END_STUCK);
        if (RT_UNLIKELY(rt.down->n_finals))
                watch_end(last);
        if (rt.down->leaks && !ex.n_failures)
                leak_look();
        exec_end(ex.n_failures ? WIRE_END_FAILED : WIRE_END_DONE);
}

/* Threads have stopped in loops, all rounds are current, but some restore what others wait for: can they end each other's
 * loops?  The execution continues by chance; what it does from here on is not reported. */
static bool go_on(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state == WIRE_T_ASSUME || threads[i].state == WIRE_T_BUDGET)
                        return false;
        if (ex.going_on || ex.left || ex.n_failures || !cut_shows() || spin_stale() || spin_missed())
                return false;
        exec_over();
        ex.going_on = true;
        ex.over_events = ex.n_events;
        ex.over_transitions = ex.n_transitions;
        ex.over_failures = ex.n_failures;
        rt.flags &= ~WIRE_CUT_LOOPS;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state == WIRE_T_SPIN)
                        spin_overrule(&threads[i]);
        return true;
}

static struct thread *pick_tail(struct thread *t)
{
        struct thread *n;

        ex.choice = WIRE_NO_CHOICE;
        fair_alone(t);
        if (RT_UNLIKELY(ex.going_on) && ex.n_transitions > ex.over_transitions + GOING_ON)
                exec_end(WIRE_END_DEPTH);
        n = RT_UNLIKELY(ex.going_on) ? tail_any() : tail_pick(t);
        if (!n)
                cut_waits();
        if (!n && go_on())
                n = tail_any();
        if (n) {
                n->spin.asked = AWAIT_NOBODY;
                return n;
        }
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (sched_enabled(&threads[i])) /* so it sleeps */
                        exec_end(WIRE_END_SLEEP);
        finish(t);
}

/* What a thread does unseen is in no segment.  Where `n` waits for the end of one, as it did not without segments, that one
 * continues: NULL, unless there is one that can. */
static struct thread *unseen_end(struct thread *n)
{
        for (uint32_t i = 0; i < ex.n_threads && n->state == WIRE_T_READY && n->pend.op == OP_JOIN; i++) {
                if (sched_enabled(n))
                        return NULL;
                n = &threads[n->pend.peer];
                if (sched_enabled(n))
                        return n->turn.visible ? NULL : n;
        }
        return NULL;
}

/* The turn in a run of segments.  `t` is at a hook, or has left. */
static struct thread *pick_segment(struct thread *t)
{
        const struct wire_down *d = rt.down;

        for (; ex.segment < d->n_segments; ex.segment++) {
                const struct wire_segment *s = &d->segments[ex.segment];
                struct thread *n = s->actor < ex.n_threads ? unseen_end(&threads[s->actor]) : NULL;

                if (s->actor & WIRE_FLUSH)
                        n = mm_segment(s->actor % WIRE_MAX_THREADS, s->until);
                if (n)
                        return n;
                if (s->actor & WIRE_FLUSH)
                        continue; /* nothing is left, or what is there belongs to one thread in this run */
                if (s->actor != t->id) {
                        if (s->actor < ex.n_threads && position_of(&threads[s->actor]) > s->until)
                                continue; /* its stretch has no hook left */
                        n = s->actor < ex.n_threads ? timed_unseen(&threads[s->actor]) : NULL;
                        return n ? n : thread_for_turn(s->actor);
                }
                if (position_of(t) > s->until)
                        continue;
                if (t->state == WIRE_T_SPIN && s->until != WIRE_TO_END)
                        spin_overrule(t);
                if (t->state != WIRE_T_READY)
                        continue;
                if (sched_enabled(t))
                        return t;
                if ((n = timed_unseen(t)))
                        return n;
                if (s->until != WIRE_TO_END)
                        sched_diverged("thread %u is blocked", t->id);
        }
        return pick_tail(t);
}

/* A hint that may be followed?  It was taken from an execution in which other things came first: whether a join has to
 * wait, and so is a transition of its own, may differ. */
static struct thread *peek_hint(bool *takes)
{
        for (; ex.hint < rt.n_hints; ex.hint++) {
                const struct wire_decision *d = &rt.prefix[rt.n_prefix + ex.hint];
                struct thread *t = &threads[d->actor % WIRE_MAX_THREADS];

                if (d->op == OP_JOIN && t->pend.op != OP_JOIN)
                        continue;
                if (t->sleep.asleep || !await_turn(t, d->waits ? AWAIT_MAYBE : AWAIT_SCHEDULE) || !sched_enabled(t))
                        break;
                *takes = d->op == OP_JOIN || d->op == OP_NONE || t->pend.op != OP_JOIN;
                return t;
        }
        ex.hint = rt.n_hints;
        return NULL;
}

/* takes: the transition that begins is that of the hint. */
static void take_hint(bool takes)
{
        ex.choice = takes && rt.flags & WIRE_VALUES ? rt.prefix[rt.n_prefix + ex.hint].choice : WIRE_NO_CHOICE;
        ex.hinted = true;
        ex.hint += takes;
}

static struct thread *pick_hint(struct thread *t)
{
        bool takes = false;
        struct thread *n = peek_hint(&takes);

        take_hint(n && takes);
        return n ? n : pick_tail(t);
}

static struct thread *pick_actor(struct thread *t)
{
        if (RT_UNLIKELY(await_notes) && !ex.going_on && ex.n_transitions >= rt.n_prefix)
                await_settle(); /* first: whether others may continue depends on who waits */
        if (RT_UNLIKELY(rt.down->fair_limit))
                fair_let_go();
        if (RT_UNLIKELY(rt.stuck))
                timed_let_go();
        if (RT_UNLIKELY(rt.segments))
                return pick_segment(t);
        if (RT_UNLIKELY(rt.flags & WIRE_WANT_ENABLED))
                note_enabled(NULL);
        if (RT_UNLIKELY(ex.n_transitions >= waypoint_at))
                waypoint_here(t);
        if (ex.n_transitions < rt.n_prefix)
                return pick_prefix(ex.n_transitions);
        return RT_UNLIKELY(ex.hint < rt.n_hints) ? pick_hint(t) : pick_tail(t);
}

/* The turn of a buffer, while thread t is the one that ran last. */
static void flush(struct thread *t, struct thread *buffer)
{
        if (RT_UNLIKELY(rt.down->n_invariants))
                watch_state(t, t); /* it may be at a hook that is not a point */
        mm_flush(buffer);
        if (RT_UNLIKELY(rt.down->n_invariants))
                watch_state(t, buffer);
}

/* The thread that continues, after the flushes that come before it. */
static struct thread *pick(struct thread *t)
{
        struct thread *n = pick_actor(t);

        while (RT_UNLIKELY(thread_is_buffer(n))) {
                flush(t, n);
                n = pick_actor(t);
        }
        if (RT_UNLIKELY(path_on))
                path_reads(n);
        return n;
}

/* The running thread waits here for its turn. */
void sched_point(struct thread *t)
{
        struct thread *n;

        if (RT_UNLIKELY(t->turn.eager_parent != NULL)) {
                n = t->turn.eager_parent;
                t->turn.eager_parent = NULL;
                switch_to(t, n);
                return;
        }
        n = pick(t);
        if (n == t)
                return;
        if (RT_UNLIKELY(rt.segments) && rt.down->n_invariants)
                watch_state(t, t); /* it may be at a hook that is not a point without segments */
        switch_to(t, n);
}

_Noreturn void sched_leave(struct thread *t, uint32_t state)
{
        struct thread *n = t->turn.eager_parent;

        t->state = (uint8_t)state;
        torn_drop();
        if (t->unsaid)
                op_note_store(t);
        mm_settle(t);
        if (n) {
                t->turn.eager_parent = NULL;
        } else {
                if (RT_UNLIKELY(rt.down->n_invariants) && rt.live)
                        watch_state(t, t);
                n = pick(t);
        }
        switch_to(t, n);
        __builtin_unreachable();
}

void sched_eager(struct thread *t, struct thread *n)
{
        n->turn.eager_parent = t;
        switch_to(t, n);
}

void sched_forced_point(struct thread *t)
{
        if (rt.flags & WIRE_WANT_ENABLED)
                note_enabled(t);
        ex.choice = WIRE_NO_CHOICE;
        if (ex.n_transitions < rt.n_prefix) {
                if (rt.prefix[ex.n_transitions].actor != t->id)
                        sched_diverged("thread %u is inside an atomic section", t->id);
                follow(ex.n_transitions);
        } else if (ex.hint < rt.n_hints) {
                const struct wire_decision *d = &rt.prefix[rt.n_prefix + ex.hint];
                if (d->actor == t->id && d->op == t->pend.op)
                        take_hint(true);
        }
}

/* The next actor that can run instead of the thread; NULL: there is none. */
static struct thread *other_than(const struct thread *t)
{
        for (uint32_t i = 1; i < ex.n_threads; i++) {
                struct thread *other = &threads[(t->id + i) % ex.n_threads];

                if (!sched_enabled(other) || other->sleep.asleep || other->pend.op == OP_NONE)
                        continue;
                if (rt.flags & WIRE_WANT_ENABLED)
                        note_enabled(NULL);
                return other;
        }
        return NULL;
}

/* A thread that has been at private memory for long may be in a loop that only others end: let them go first.  What it
 * does commutes with what they do.  It has the next turn that the schedule gives it, and continues from here. */
void sched_give_way(struct thread *t)
{
        struct thread *n = NULL;

        position_patience(t, position_of(t) + RT_PATIENCE);
        if (t->unsaid)
                op_note_store(t);
        if (rt.segments && ex.segment < rt.down->n_segments)
                return; /* the schedule knows */
        if (t->turn.eager_parent) {
                n = t->turn.eager_parent;
                t->turn.eager_parent = NULL;
        } else if (ex.n_transitions < rt.n_prefix) {
                n = &threads[rt.prefix[ex.n_transitions].actor % WIRE_MAX_THREADS];
                n = n != t && sched_enabled(n) ? pick(t) : NULL;
        } else if (ex.hint < rt.n_hints) {
                bool takes;
                n = peek_hint(&takes);
                n = n && n != t ? pick(t) : NULL;
        } else {
                ex.choice = WIRE_NO_CHOICE;
                while ((n = other_than(t)) && thread_is_buffer(n))
                        flush(t, n);
        }
        if (!n && ex.n_new_shared) /* no thread is left to end the wait, and this run does not count */
                exec_end(WIRE_END_DEPTH);
        if (!n)
                return;
        if (RT_UNLIKELY(rt.down->n_invariants))
                watch_state(t, t);
        t->pend.op = OP_NONE;
        switch_to(t, n);
}
