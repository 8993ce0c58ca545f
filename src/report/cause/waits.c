/*
 * Waits that never end.
 *
 * A cycle of locks is an inversion; a lock whose holder has ended was not released; a wait on a condition variable is lost if
 * the signal came before it, and misses one if there was none.
 */
#include "trace/waits.h"

#include "op/op.h"
#include "report/cause/cause.h"
#include "report/cause/inputs.h"
#include "trace/locks_held.h"

static bool is_lock(uint32_t op)
{
        return op_order(op) == OP_TAKES || op_order(op) == OP_TAKES_SHARED;
}

/* The entry that took the lock that `thread` waits for; VIEW_NONE. */
static uint32_t taken_at(const struct view *v, uint32_t thread)
{
        const struct wire_thread *th = &v->t->threads[thread];
        struct held held = {0};
        uint32_t entry = VIEW_NONE;

        for (uint32_t i = 0; i < v->t->n_events; i++)
                if (!held_step(&held, &v->t->events[i], i))
                        break;
        for (uint32_t i = 0; i < held.locks.n; i++)
                if (held.locks.at[i].obj == th->obj && held.locks.at[i].actor == th->holder)
                        entry = held.locks.at[i].entry;
        held_fini(&held);
        return entry;
}

static bool find_cycle(struct view *v, struct cause *c)
{
        const struct trace *t = v->t;
        uint32_t cycle[WIRE_MAX_THREADS], n = waits_cycle(t, cycle);
        bool joins = false, locks = n > 0;

        for (uint32_t k = 0; k < n; k++) {
                uint32_t entry = taken_at(v, cycle[k]);
                joins = joins || t->threads[cycle[k]].op == OP_JOIN;
                locks = locks && (t->threads[cycle[k]].op == OP_JOIN || is_lock(t->threads[cycle[k]].op));
                if (entry != VIEW_NONE && k < CAUSE_MAX_STEPS)
                        cause_add(c, entry);
        }
        if (!locks || (!c->n_steps && n > 1))
                return false;
        c->pattern = n == 1 ? CAUSE_SELF_LOCK : joins ? CAUSE_JOIN_LOCKED : CAUSE_LOCK_ORDER;
        c->thread = cycle[0];
        c->object = t->threads[cycle[0]].obj;
        c->object_op = t->threads[cycle[0]].op;
        for (uint32_t k = 0; joins && k < n; k++)
                if (t->threads[cycle[k]].op == OP_JOIN) {
                        c->thread = cycle[k];
                } else {
                        c->object = t->threads[cycle[k]].obj;
                        c->object_op = t->threads[cycle[k]].op;
                }
        return true;
}

/* A thread waits for a lock whose holder has ended, or waits for something else. */
static bool find_kept(struct view *v, struct cause *c)
{
        const struct trace *t = v->t;

        for (uint32_t a = 0; a < t->n_threads; a++) {
                const struct wire_thread *th = &t->threads[a];
                uint32_t entry;
                if (th->state != WIRE_T_BLOCKED || !is_lock(th->op) || th->holder >= t->n_threads ||
                    t->threads[th->holder].state != WIRE_T_DONE)
                        continue;
                entry = taken_at(v, a);
                if (entry == VIEW_NONE)
                        continue;
                c->pattern = CAUSE_NOT_UNLOCKED;
                c->thread = th->holder;
                c->other = a;
                c->check = entry;
                c->object = th->obj;
                c->object_op = th->op;
                cause_add(c, entry);
                return true;
        }
        return false;
}

/* The thread whose wait took the semaphore last and that has not posted it since: the entry; VIEW_NONE. */
static uint32_t sem_taken(const struct trace *t, uint64_t sem, uint32_t waiter)
{
        for (uint32_t i = t->n_events; i-- > 0;) {
                const struct wire_event *e = &t->events[i];
                if (e->obj != sem || op_object(e->op) != OP_OBJ_SEM || e->actor == waiter)
                        continue;
                return op_order(e->op) == OP_ACQUIRES_TAKEN && op_took(e) ? i : VIEW_NONE;
        }
        return VIEW_NONE;
}

/* Semaphores that are used as locks, in opposite orders. */
static bool find_semaphores(struct view *v, struct cause *c)
{
        const struct trace *t = v->t;

        for (uint32_t a = 0; a < t->n_threads; a++) {
                const struct wire_thread *th = &t->threads[a], *other;
                uint32_t by = th->state == WIRE_T_BLOCKED && op_object(th->op) == OP_OBJ_SEM ? sem_taken(t, th->obj, a)
                                                                                             : VIEW_NONE;
                uint32_t back;
                if (by == VIEW_NONE)
                        continue;
                other = &t->threads[t->events[by].actor];
                back = other->state == WIRE_T_BLOCKED && op_object(other->op) == OP_OBJ_SEM
                               ? sem_taken(t, other->obj, t->events[by].actor)
                               : VIEW_NONE;
                if (back == VIEW_NONE || t->events[back].actor != a)
                        continue;
                c->pattern = CAUSE_LOCK_ORDER;
                cause_add(c, by);
                cause_add(c, back);
                return true;
        }
        return false;
}

/* The last wait of `actor` on a condition variable, VIEW_NONE. */
static uint32_t wait_of(const struct trace *t, uint32_t actor)
{
        for (uint32_t i = t->n_events; i-- > 0;)
                if (t->events[i].actor == actor && t->events[i].op == OP_COND_WAIT)
                        return i;
        return VIEW_NONE;
}

static bool is_signal(const struct wire_event *e, uint64_t cond)
{
        return (e->op == OP_COND_SIGNAL || e->op == OP_COND_BROADCAST || e->op == OP_COND_LOOK) && e->obj == cond;
}

/* The thread that the signal at entry i woke; WIRE_NO_ACTOR: none waited. */
static uint32_t woken_by(const struct trace *t, uint32_t i)
{
        for (uint32_t k = i + 1;
             k < t->n_events && t->events[k].actor == t->events[i].actor && !(t->events[k].flags & WIRE_EV_SCHED); k++)
                if (t->events[k].op == OP_WAKE)
                        return WIRE_THREAD_OF(t->events[k].obj);
        return WIRE_NO_ACTOR;
}

/* What the thread had checked before it waited: the read of the condition, VIEW_NONE. */
static uint32_t checked(struct view *v, uint32_t wait)
{
        struct inputs in = {.n = 0};
        struct view_place p;

        if (!view_place(v, wait, &p))
                return VIEW_NONE;
        inputs_conditions(v, v->t->events[wait].actor, wait, &p, &in);
        return in.n ? in.at[0] : VIEW_NONE;
}

static bool find_signal(struct view *v, struct cause *c, uint32_t actor, uint32_t wait)
{
        const struct trace *t = v->t;
        uint64_t cond = t->events[wait].obj;
        uint32_t lost = VIEW_NONE, stolen = VIEW_NONE;

        for (uint32_t i = 0; i < t->n_events; i++) {
                if (!is_signal(&t->events[i], cond) || t->events[i].actor == actor)
                        continue;
                if (i < wait)
                        lost = i;
                else if (woken_by(t, i) != WIRE_NO_ACTOR && woken_by(t, i) != actor)
                        stolen = i;
        }
        c->thread = actor;
        c->object = cond;
        c->object_op = OP_COND_WAIT;
        c->act = wait;
        c->check = checked(v, wait);
        c->foreign = stolen != VIEW_NONE ? stolen : lost;
        if (c->foreign == VIEW_NONE) {
                c->pattern = CAUSE_NO_SIGNAL;
                cause_add(c, wait);
                return true;
        }
        c->other = t->events[c->foreign].actor;
        c->pattern = stolen != VIEW_NONE ? CAUSE_WRONG_WAITER : CAUSE_LOST_WAKEUP;
        if (c->check != VIEW_NONE)
                cause_add(c, c->check);
        cause_add(c, c->foreign);
        cause_add(c, wait);
        if (stolen != VIEW_NONE)
                c->other = woken_by(t, stolen);
        return true;
}

static bool find_wait(struct view *v, struct cause *c)
{
        const struct trace *t = v->t;

        for (uint32_t a = 0; a < t->n_threads; a++) {
                struct wait w;
                uint32_t wait = wait_of(t, a);
                if (t->threads[a].state != WIRE_T_BLOCKED || wait == VIEW_NONE)
                        continue;
                w = waits_at_switch(t, a, t->n_events, t->n_events);
                if (w.signal && find_signal(v, c, a, wait))
                        return true;
        }
        return false;
}

/* A thread that loops: the values that it waits for. */
static bool find_loop(struct view *v, struct cause *c)
{
        const struct trace *t = v->t;

        for (uint32_t a = 0; a < t->n_threads; a++) {
                uint32_t r = t->n_events;
                if (t->threads[a].state != WIRE_T_SPIN)
                        continue;
                while (r-- > 0)
                        if (t->events[r].actor == a && view_reads(v, r))
                                break;
                if (r == UINT32_MAX)
                        continue;
                if (!cause_conditions(v, c, r)) {
                        uint32_t store = view_decider(v, r);
                        c->pattern = CAUSE_STEPS;
                        if (store != VIEW_NONE)
                                cause_add(c, store);
                }
                cause_add(c, r);
                return true;
        }
        return false;
}

bool cause_waits(struct view *v, struct cause *c)
{
        return find_cycle(v, c) || find_kept(v, c) || find_semaphores(v, c) || find_wait(v, c) || find_loop(v, c);
}
